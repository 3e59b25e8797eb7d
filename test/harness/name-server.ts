import { createSocket, type RemoteInfo } from 'node:dgram'
import { atEnd } from './at-end.js'

/** The types of RFC 1035, 3.2.2, and RFC 3596, and what a record of each holds here: public addresses. */
const TYPES: Record<number, { name: 'A' | 'AAAA'; address: Buffer }> = {
  1: { name: 'A', address: Buffer.from([93, 184, 216, 34]) },
  28: { name: 'AAAA', address: Buffer.from('26064700000000000000000000000001', 'hex') },
}

/** What a name server answers: records, none, no such name, a failure (RFC 1035, 4.1.1), or nothing at all. */
type Answer = 'records' | 'inner_address' | 'none' | 'no_such_name' | 'failure' | 'silence'
const HAS_RECORDS: ReadonlySet<Answer> = new Set(['records', 'inner_address'])
const CODES: Record<string, number> = { no_such_name: 3, failure: 2 }

/** Starts a name server on loopback, until the end. @returns for which names it was asked, once for each message, and its address */
export async function nameServer(
  answerOf: (name: string, type: 'A' | 'AAAA') => Answer,
): Promise<{ asked: string[]; nameServers: string[] }> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, type, question } = readQuestion(query)
    const known = TYPES[type]
    asked.push(name)
    const answer = known ? answerOf(name, known.name) : 'none'
    if (answer === 'silence') return
    const address = answer === 'inner_address' ? Buffer.from([10, 0, 0, 1]) : known?.address
    const records = address && HAS_RECORDS.has(answer) ? [recordOf(type, address)] : []
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | (CODES[answer] ?? 0), 2)
    ;[1, records.length, 0, 0].forEach((count, index) => header.writeUInt16BE(count, 4 + 2 * index))
    socket.send(Buffer.concat([header, question, ...records]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  atEnd(() => void socket.close())
  return { asked, nameServers: [`127.0.0.1:${socket.address().port}`] }
}

function readQuestion(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  }
}

/** Of the name in question, for a minute. */
function recordOf(type: number, address: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length]), address])
}
