import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, it } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { createMailer } from '../../kernel/mailer.js'

const raw: string[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  logger: false,
  onData: (stream, _session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      raw.push(Buffer.concat(chunks).toString())
      done()
    })
  },
})
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
const { port } = server.server.address() as AddressInfo
const mailer = createMailer({
  url: `smtp://127.0.0.1:${port}`,
  from: 'Shop <no-reply@shop.example>',
  timeoutMs: 2_000,
  log: createLog('silent'),
})
afterAll(async () => {
  mailer.close()
  await new Promise<void>((resolve) => {
    server.close(resolve)
  })
})

/** The headers of an e-mail as a server gets them, with folded lines in one. */
async function headersOf(message: Partial<Parameters<typeof mailer.send>[0]>): Promise<string[]> {
  await mailer.send({ to: 'ana@example.com', subject: 'Due', text: 'Pay', html: '<p>Pay</p>', ...message })
  const [head = ''] = (raw.at(-1) ?? '').split('\r\n\r\n')
  return head.replaceAll(/\r\n\s+/g, ' ').split('\r\n')
}

describe('an e-mail', () => {
  it('offers to unsubscribe by one click where it has an address for that', async () => {
    const url = 'https://pay.example/pay-reminders/ctenant.csubscription.mac'
    const headers = await headersOf({ unsubscribeUrl: url })
    expect(headers).toContain(`List-Unsubscribe: <${url}>`)
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  })

  it('offers it nowhere else', async () => {
    expect((await headersOf({})).filter((header) => header.startsWith('List-'))).toEqual([])
  })

  it('has the same Message-ID whenever it is sent under the same name', async () => {
    for (let time = 0; time < 2; time += 1) {
      expect(await headersOf({ messageName: 'receipt-1' })).toContain('Message-ID: <receipt-1@shop.example>')
    }
  })
})
