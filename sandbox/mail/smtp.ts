import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressInfo, Socket } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Clock } from '../../kernel/clock.js'
import type { FaultMode } from '../simulator.js'
import type { Mailbox } from './mailbox.js'

/** How the next e-mail fails; see `/sandbox/faults`. */
export type TakeFault = () => { mode: FaultMode; ms: number } | undefined

const SIZE_MAX_BYTES = 1024 * 1024

/**
 * Starts an SMTP server (RFC 5321) on 127.0.0.1 that takes e-mails for everybody into a mailbox. Rejects where the port is
 * taken.
 */
export async function startSmtpServer(options: {
  port: number
  mailbox: Mailbox
  takeFault: TakeFault
  clock: Clock
}): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets = new Map<number, Socket>()
  const cut = ({ remotePort }: SMTPServerSession): void => {
    sockets.get(remotePort)?.resetAndDestroy()
  }
  const receive = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string | undefined> => {
    const fault = options.takeFault()
    if (fault?.mode === 'down') return void cut(session)
    if (fault?.mode === 'slow') await sleep(fault.ms, undefined, { ref: false })
    const raw = await readAll(stream)
    if (fault?.mode === 'error') throw Object.assign(new Error('4.3.0 Temporary failure'), { responseCode: 451 })
    await deliver(raw, session, options)
    if (fault?.mode === 'drop-answer') return void cut(session)
    return 'Message accepted'
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: SIZE_MAX_BYTES,
    onAuth: (_auth, _session, done) => {
      done(null, { user: 'anybody' })
    },
    onData: (stream, session, done) => {
      receive(stream, session).then(
        (message) => {
          if (message !== undefined) done(null, message)
        },
        (error: unknown) => {
          done(error as Error)
        },
      )
    },
  })
  // The library keeps the sockets to itself; the port at the other end tells whose a session is.
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0
    sockets.set(port, socket)
    socket.on('close', () => sockets.delete(port))
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        for (const socket of sockets.values()) socket.destroy()
      }),
  }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function deliver(
  raw: Buffer,
  { envelope }: SMTPServerSession,
  { mailbox, clock }: { mailbox: Mailbox; clock: Clock },
): Promise<void> {
  const { subject = '', text = '', html = '' } = await PostalMime.parse(raw)
  const date = clock.now().toISOString()
  for (const { address } of envelope.rcptTo) mailbox.add({ to: address.toLowerCase(), subject, text, html, date })
}
