import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { adjustableClock } from '../../kernel/clock.js'
import { startMailSimulator } from './simulator.js'
import { ending } from '../../test/harness/at-end.js'
import { postJson } from '../../test/harness/control.js'

const clock = adjustableClock()
const simulator = ending(await startMailSimulator({ port: 0, smtpPort: 0, clock }))

const send = async (to: string, text = 'Olá'): Promise<string> => {
  const transport = createTransport({ url: simulator.smtpUrl, connectionTimeout: 2_000, socketTimeout: 2_000 })
  const message = { from: 'shop@example.com', to, subject: 'Código', text, html: `<b>${text}</b>` }
  return transport.sendMail(message).then(
    () => 'sent',
    (error: unknown) => String((error as { responseCode?: number }).responseCode ?? 'cut'),
  )
}
const mailbox = async (to: string): Promise<Record<string, string>[]> =>
  (await fetch(`${simulator.mailboxUrl}?to=${encodeURIComponent(to)}`)).json() as Promise<Record<string, string>[]>
const fault = (body: object) => postJson(simulator.mailboxUrl.replace('/mailbox', '/sandbox/faults'), body)

describe('the mailbox', () => {
  it('keeps what was sent to an address, oldest first, by the clock of the sandbox', async () => {
    clock.advance(86_400_000)
    expect(await send('Ana@Example.com', 'one')).toBe('sent')
    expect(await send('ana@example.com', 'two')).toBe('sent')
    expect(await send('bob@example.com')).toBe('sent')
    const mails = await mailbox('ana@example.com')
    expect(mails.map(({ to, subject, text, html }) => [to, subject, text?.trim(), html?.trim()])).toEqual([
      ['ana@example.com', 'Código', 'one', '<b>one</b>'],
      ['ana@example.com', 'Código', 'two', '<b>two</b>'],
    ])
    expect(Math.abs(Date.parse(mails[0]?.['date'] ?? '') - clock.now().getTime())).toBeLessThan(60_000)
    expect(await mailbox('nobody@example.com')).toEqual([])
  })

  it('is a readable page in a browser, which runs nothing that was sent', async () => {
    await send('page@example.com', '<script>alert(1)</script>')
    const answer = await fetch(`${simulator.mailboxUrl}?to=page@example.com`, { headers: { accept: 'text/html' } })
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    const page = await answer.text()
    expect(page).toContain('page@example.com')
    expect(page).not.toContain('<script>')
  })
})

describe('the mail server', () => {
  it('fails as it is told to, for as many e-mails', async () => {
    await fault({ mode: 'error', times: 2 })
    expect([await send('f@example.com'), await send('f@example.com'), await send('f@example.com')]).toEqual([
      '451',
      '451',
      'sent',
    ])
    await fault({ mode: 'down', times: 1 })
    expect(await send('f@example.com')).toBe('cut')
    expect(await mailbox('f@example.com')).toHaveLength(1)
    await fault({ mode: 'drop-answer', times: 1 })
    expect(await send('f@example.com')).toBe('cut')
    expect(await mailbox('f@example.com')).toHaveLength(2)
    await expect(fault({ mode: 'nonsense' })).rejects.toThrow('400')
  })
})
