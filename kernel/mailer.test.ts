import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { atEnd } from '../test/harness/at-end.js'
import { createLog } from './log.js'
import { createMailer } from './mailer.js'
import { isUnsentMail } from './unsent-mail.js'

const MESSAGE = { to: 'ana@example.com', subject: 'Code', text: '123456', html: '<p>123456</p>' }

/** A server's port at which every connection is handled so. */
async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.on('close', () => sockets.delete(socket))
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** What becomes of an e-mail to the server at a port. */
async function failureAt(port: number): Promise<unknown> {
  const url = `smtp://127.0.0.1:${port}`
  const mailer = createMailer({ url, from: 'a@example.com', timeoutMs: 500, log: createLog('silent') })
  atEnd(mailer.close)
  return mailer.send(MESSAGE).catch((error: unknown) => error)
}

it('a mail server that answers a little at a time, without an end, is given up', async () => {
  const port = await listen((socket) => {
    socket.write('220 hello\r\n')
    const trickle = setInterval(() => socket.write('250-more\r\n'), 50)
    socket.on('close', () => {
      clearInterval(trickle)
    })
  })
  const failure = await failureAt(port)
  expect(failure).toMatchObject({ code: 'provider_timeout' })
  expect(isUnsentMail(failure)).toBe(false)
}, 20_000)

it.each([
  ['that refuses the sender is certainly not sent', { MAIL: '550 no' }, true],
  ['that refuses the message is certainly not sent', { '.': '451 later' }, true],
  ['that is gone after the message may be sent', { '.': '' }, false],
])('an e-mail to a server %s', async (_, answers: Record<string, string>, isUnsent) => {
  const port = await listen((socket) => {
    socket.write('220 hello\r\n')
    createInterface(socket).on('line', (line) => {
      const command = /^(EHLO|MAIL|RCPT|DATA|\.$)/.exec(line)?.[0]
      if (command === undefined) return
      const answer = answers[command] ?? (command === 'DATA' ? '354 go' : '250 ok')
      if (answer === '') socket.destroy()
      else socket.write(`${answer}\r\n`)
    })
  })
  const failure = await failureAt(port)
  expect(failure).toMatchObject({ code: 'provider_unavailable' })
  expect(isUnsentMail(failure)).toBe(isUnsent)
})

it('an e-mail to a server that does not listen is certainly not sent', async () => {
  const failure = await failureAt(1)
  expect(failure).toMatchObject({ code: 'provider_unavailable' })
  expect(isUnsentMail(failure)).toBe(true)
})
