import type { Watch } from './tcp-proxy.js'

/** Where in a transaction a connection to PostgreSQL is cut. */
export const CUT_POINTS = ['statement', 'answer', 'commit-answer'] as const
/**
 * `statement`: before the next statement arrives; `answer`: after it was done, before the answer;
 * `commit-answer`: after the commit, which the client does not learn of.
 */
export type CutPoint = (typeof CUT_POINTS)[number]

/** Cuts connections in their transactions, as long as there are cuts left. */
export interface TransactionCuts {
  newWatch: () => Watch
  /** From now on the next `count` transactions are cut there. @returns what calls off those that did not happen */
  arm: (point: CutPoint, count: number) => () => void
}

const READY_FOR_QUERY = 'Z'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)
const HEADER_BYTES = 5

/** Follows the protocol of PostgreSQL (version 3, without TLS), as far as is needed to know when a transaction is open. */
export function transactionCuts(): TransactionCuts {
  let armed: { point: CutPoint; left: number } | undefined
  const take = (): 'cut' => {
    if (armed && --armed.left <= 0) armed = undefined
    return 'cut'
  }
  return {
    newWatch: () => {
      let isOpen = false
      let cutsAnswer = false
      const read = statusReader((status) => (isOpen = status !== IDLE))
      return {
        sent: (piece) => {
          if (!armed || !isOpen) return 'pass'
          if (armed.point === 'statement') return take()
          cutsAnswer = armed.point === 'answer' || /\bcommit\b/i.test(piece.toString('latin1'))
          return 'pass'
        },
        answered: (piece) => {
          read(piece)
          if (!cutsAnswer) return 'pass'
          cutsAnswer = false
          return armed ? take() : 'pass'
        },
      }
    },
    arm: (point, count) => {
      const mine = { point, left: count }
      armed = mine
      return () => {
        if (armed === mine) armed = undefined
      }
    },
  }
}

/** Reads the server's messages from pieces that may end anywhere: a type, a length, and for `Z` the transaction's status. */
function statusReader(onStatus: (status: number) => void): (piece: Buffer) => void {
  let header = Buffer.alloc(0)
  let bodyLeft = 0
  return (piece) => {
    let rest = piece
    while (rest.length > 0) {
      if (bodyLeft === 0) {
        const taken = Math.min(HEADER_BYTES - header.length, rest.length)
        header = Buffer.concat([header, rest.subarray(0, taken)])
        rest = rest.subarray(taken)
        if (header.length < HEADER_BYTES) return
        bodyLeft = header.readInt32BE(1) - 4
        if (bodyLeft === 0) header = Buffer.alloc(0)
        continue
      }
      if (header[0] === READY_FOR_QUERY && rest[0] !== undefined) onStatus(rest[0])
      const taken = Math.min(bodyLeft, rest.length)
      bodyLeft -= taken
      rest = rest.subarray(taken)
      if (bodyLeft === 0) header = Buffer.alloc(0)
    }
  }
}
