import { connect, createServer, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { atEnd } from '../test/harness/at-end.js'
import { capturedLog } from '../test/harness/captured-log.js'
import { ownDatabase } from '../test/harness/database.js'
import { until } from '../test/harness/until.js'
import { openDatabase } from './database.js'

/** The frontend's Terminate message (PostgreSQL, "Message Formats"). */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4])
const FIELDS = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'

/** An ErrorResponse: that the database is being stopped. */
function stopped(): Buffer {
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(4 + FIELDS.length, 1)
  return Buffer.concat([head, Buffer.from(FIELDS, 'latin1')])
}

it('a database that is stopped before it has read that a connection ends is no loss that anybody is told of', async () => {
  const database = await ownDatabase()
  const target = new URL(database.url)
  let told = 0
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname).on('error', () => undefined)
    client.on('error', () => undefined).on('close', () => upstream.destroy())
    upstream.on('data', (chunk) => client.write(chunk))
    client.on('data', (chunk) => {
      if (!chunk.equals(TERMINATE)) return void upstream.write(chunk)
      client.end(stopped())
      told += 1
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => void server.close())
  const address = new URL(database.url)
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const { log, lines } = capturedLog('warn')
  const options = { schema: 'kernel', entities: [], migrations: [], poolSize: 2, log }
  const db = await openDatabase({ url: address.href, ...options })
  await db.pool.query('select 1')
  const before = told
  const removed = new Promise((resolve) => db.pool.once('remove', resolve))
  await db.close()
  await removed
  await until('the connection was told', () => told > before)
  expect(lines).toEqual([])
})
