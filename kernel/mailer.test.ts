import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { atEnd } from '../test/harness/at-end.js'
import { createLog } from './log.js'
import { createMailer } from './mailer.js'

const MESSAGE = { to: 'ana@example.com', subject: 'Code', text: '123456', html: '<p>123456</p>' }

it('a mail server that answers a little at a time, without an end, is given up', async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.write('220 hello\r\n')
    const trickle = setInterval(() => socket.write('250-more\r\n'), 50)
    socket.on('close', () => {
      clearInterval(trickle)
      sockets.delete(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `smtp://127.0.0.1:${port}`
  const mailer = createMailer({ url, from: 'a@example.com', timeoutMs: 500, log: createLog('silent') })
  atEnd(mailer.close)
  await expect(mailer.send(MESSAGE)).rejects.toMatchObject({ code: 'provider_timeout' })
}, 20_000)
