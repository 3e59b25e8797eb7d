import type { Address, Hex } from 'viem'
import type { Clock } from '../kernel/clock.js'
import type { NewDeposit } from '../subgraphs/payments/model/payment-address.js'

/** What comes to payments' own addresses, in blocks that a history makes and drops. */
export interface DepositChain {
  /** Somebody sends so much, in base units, in a block of its own. */
  send: (paymentId: string, amount: bigint) => void
  /** The chain drops its newest block, unless the receivers have got what was in it. @param isAgain it comes again in another one */
  drop: (isAgain: boolean) => void
  /** All that is in blocks. */
  shown: () => readonly NewDeposit[]
  /** Up to which block the chain is as it was when it was last seen; undefined where it has dropped none since. */
  unseen: () => bigint | undefined
  /** The product has written down what the chain shows: the blocks themselves tell it of what they replace, until it has. */
  markSeen: () => void
  balanceOf: (paymentId: string) => bigint
  /** What has come to an address in all. */
  cameTo: (address: Address) => bigint
  /** The forwarder shares out what lies at the address. */
  distribute: (paymentId: string) => void
  /** What receivers have got in all. */
  received: (paymentId: string) => bigint
}

/** A chain of deposits. */
export function depositChain(clock: Clock): DepositChain {
  let landed: NewDeposit[] = []
  let [height, branch, sent] = [100n, 0, 0]
  let dropped: bigint | undefined
  const received = new Map<string, bigint>()
  const total = (paymentId: string): bigint =>
    landed.filter((one) => one.paymentId === paymentId).reduce((sum, { amount }) => sum + amount, 0n)
  const got = (paymentId: string): bigint => received.get(paymentId) ?? 0n
  const land = (paymentId: string, amount: bigint, hash: string): void => {
    height += 1n
    landed.push({
      ...{
        tenantId: 'tenant',
        paymentId,
        hash,
        logIndex: 0,
        sender: '0x9999999999999999999999999999999999999999',
        amount,
      },
      ...{ minedAt: clock.now(), blockNumber: height, blockHash: `0x${branch}${height}` as Hex },
    })
  }
  return {
    send: (paymentId, amount) => land(paymentId, amount, `0xd${(sent += 1)}`),
    drop: (isAgain) => {
      const last = landed.at(-1)
      if (!last || total(last.paymentId) - last.amount < got(last.paymentId)) return
      landed = landed.slice(0, -1)
      branch += 1
      height = last.blockNumber - 1n
      if (dropped === undefined || height < dropped) dropped = height
      if (isAgain) land(last.paymentId, last.amount, last.hash)
    },
    shown: () => landed,
    unseen: () => dropped,
    markSeen: () => {
      dropped = undefined
    },
    balanceOf: (paymentId) => total(paymentId) - got(paymentId),
    cameTo: (address) => {
      const found = landed.find(({ paymentId }) => addressOf(paymentId) === address)
      return found ? total(found.paymentId) : 0n
    },
    distribute: (paymentId) => void received.set(paymentId, total(paymentId)),
    received: got,
  }
}

/** A payment's own address: any that is nobody else's. */
export function addressOf(paymentId: string): Address {
  return `0x${Number(paymentId.slice(1)).toString(16).padStart(40, 'a')}`
}
