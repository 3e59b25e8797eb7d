import { describe, expect, it } from 'vitest'
import { mailRulesOf } from './environment.js'
import { mailMessage, type MailedPeriod } from './mail-message.js'
import { mailLanguage } from './mail-words.js'

const ABOUT: MailedPeriod = {
  ...{ kind: 'due', shop: 'Café & Co', plan: 'Gold', amount: '1234.5', currency: 'BRL' },
  dueAt: new Date('2026-03-01T02:00:00Z'),
  ...{ page: 'https://pay.example/pay/token', stop: 'https://pay.example/pay-reminders/token' },
}

describe('an e-mail to a payer', () => {
  it.each([
    ['pt', 'Pagamento da sua assinatura Gold (Café & Co)', 'R$ 1.234,50', '1 de março de 2026'],
    ['en', 'Payment of your subscription Gold (Café & Co)', 'R$1,234.50', '1 March 2026'],
    ['es', 'Pago de su suscripción Gold (Café & Co)', 'BRL 1,234.50', '1 de marzo de 2026'],
  ] as const)('is written as its reader writes, in %s', (language, subject, amount, day) => {
    const message = mailMessage(ABOUT, language)
    expect(message.subject).toBe(subject)
    const text = message.text.replaceAll(/[\u00A0\u202F]/g, ' ')
    for (const part of [amount, day, ABOUT.page, ABOUT.stop]) expect(text).toContain(part)
    expect(message.unsubscribeUrl).toBe(ABOUT.stop)
  })

  it('takes no header and no markup from what a tenant calls its plan', () => {
    const { subject, html } = mailMessage({ ...ABOUT, plan: 'Gold\r\nBcc: all@example.com <b>' }, 'en')
    expect(subject).not.toMatch(/[\r\n]/)
    expect(html).not.toContain('<b>')
  })

  it('is in the language of the payer’s receipt, otherwise in that of his currency', () => {
    expect(mailLanguage('es', 'BRL')).toBe('es')
    expect(['BRL', 'MXN', 'USD', 'EUR'].map((currency) => mailLanguage(undefined, currency))).toEqual([
      ...['pt', 'es', 'en', 'en'],
    ])
  })
})

describe('the days of reminders', () => {
  it('are each taken once and in order, and 0 is none', () => {
    const rules = (days: string[]) =>
      mailRulesOf({ subscriptionReminderDays: days, subscriptionPastDueDays: 7, subscriptionMailsPerHour: 5 })
    expect(rules(['10', '3', '10'])).toEqual({ reminderDays: [3, 10], pastDueDays: 7, perHour: 5 })
    expect(rules(['0']).reminderDays).toEqual([])
  })
})
