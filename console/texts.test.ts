import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, isEnumType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '../kernel/errors.js'
import { projectRoot } from '../kernel/root.js'
import { en } from './page/messages/en.js'
import { pt } from './page/messages/pt.js'
import { failed, inPortuguese, said } from './page/messages/said.js'

/** The sources below a folder, without tests, fixtures and migrations. */
function sourcesOf(folder: string): string {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|fixtures\/|migrations\//.test(path))
    .map((path) => readFileSync(join(projectRoot, folder, path), 'utf8'))
    .join('\n')
}

/** The words that the pattern's first group finds, each once. */
function wordsIn(text: string, ...patterns: readonly RegExp[]): string[] {
  return [...new Set(patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, word = '']) => word)))]
}

const payments = sourcesOf('subgraphs/payments')
const schema = buildSchema(readFileSync(join(projectRoot, 'schema', 'api.graphql'), 'utf8'), { assumeValid: true })

/** The names of an enum, as words. */
function namesOf(name: string): string[] {
  const type = schema.getType(name)
  return isEnumType(type) ? type.getValues().map((value) => value.name.toLowerCase()) : []
}

/** What lists of words the server has, and the texts for them. */
const LISTS = {
  scopes: wordsIn(
    payments,
    /scope(?:: |s = \{ received: |: | = )`([a-z-]+):\$/g,
    /refunded: `([a-z]+):/g,
    /scope: '([a-z]+)'/g,
  ),
  skips: wordsIn(payments, /skipped: '([^']+)'/g),
  jobNames: wordsIn(
    payments + sourcesOf('subgraphs/accounts') + sourcesOf('subgraphs/kyc'),
    /const (?:[A-Z]+_[A-Z_]+|RECONCILE) = '([a-z]+(?:-[a-z]+)+|reconcile)'/g,
    /name: '([a-z-]+)', cron:/g,
  ).filter((name) => !['webhook-secrets', 'gas-payer'].includes(name)),
} as const

/** Operations that the console does not have: programs move yield, verify payers, and send what wallets have signed. */
const OF_PROGRAMS =
  /^(method_not|unsupported|pair_not|params_mis|missing_uns|invalid_(payment|signed|chain)|stale_|payment_failed|kyc_|payer_doc|user_not|identity_|email_already|otp_|verify_|signature_|challenge_|insufficient_position|strategy_|signed_tr|rebalance_|broadcast_|confirm_|solana_)/

/** Where the forms of the console are checked. */
const FORMS = [
  'gateway/console',
  'subgraphs/accounts/branding',
  'subgraphs/accounts/domain',
  'subgraphs/accounts/people',
  'subgraphs/accounts/webhooks',
  'subgraphs/orders/domain',
  'subgraphs/payments/domain/deposits',
  'subgraphs/payments/domain/operators',
  'subgraphs/payments/domain/reconciliation',
  'subgraphs/payments/domain/refunds',
  'terms',
]

/** About what no form has: the console leaves it out or makes it itself. */
const FOR_PROGRAMS = new Set([
  'must be an object',
  'must be named without ${excess.join(',
  'must be at least 1',
  'must be 7, where a part has come',
  'cannot be null: an order needs it',
  'cannot be null: an endpoint needs it',
  'cannot be null: an endpoint is on or off',
])

describe('the console in Portuguese', () => {
  it.each(Object.entries(LISTS))('has a text for each of the server’s words of %s, as English has', (list, words) => {
    const texts = list as keyof typeof LISTS
    expect(words.length).toBeGreaterThan(2)
    expect(words.filter((word) => pt[texts][word] === undefined)).toEqual([])
    expect(words.filter((word) => en[texts][word] === undefined)).toEqual([])
  })

  it('says what each act in the audit log was', () => {
    const acts = [
      ...Object.keys(schema.getMutationType()?.getFields() ?? {}),
      ...wordsIn(sourcesOf('gateway') + sourcesOf('subgraphs/accounts/people'), /operation: '([A-Za-z]+)'/g),
    ]
    expect(acts).toEqual(expect.arrayContaining(['createApiKey', 'signIn']))
    expect(acts.filter((act) => pt.operations[act] === undefined)).toEqual([])
  })

  it('has a text for whatever happens to a payment, why it fails, and how it is booked', () => {
    const words = [
      ...namesOf('PaymentEventKind'),
      ...namesOf('PaymentFailureReason'),
      ...namesOf('StatementLineKind').map((name) => name.replaceAll('_', '-')),
    ]
    expect(words.length).toBeGreaterThan(50)
    expect(words.filter((word) => pt.words[word] === undefined)).toEqual([])
    expect(words.filter((word) => en.words[word] === undefined)).toEqual([])
  })

  it('has a text for each code of an error that a person at the console can meet', () => {
    const codes = Object.keys(ERRORS).filter((code) => !OF_PROGRAMS.test(code))
    expect(codes.length).toBeGreaterThan(30)
    expect(codes.filter((code) => pt.errors[code.toUpperCase()] === undefined)).toEqual([])
  })

  it('tells in Portuguese what the server says about the fields of its forms', () => {
    const sentences = FORMS.flatMap((folder) => {
      const text = sourcesOf(folder)
      return wordsIn(
        text,
        /message: [`']((?:must|is|has to|cannot) [^`']*)[`']/g,
        /refuse\((?:'\w+'|`[^`]+`), [`']([^`']+)[`']\)/g,
        /return [`']((?:must|is|has to) [^`']*)[`']/g,
      )
    }).map((sentence) => sentence.replaceAll(/\$\{[^}]*\}/g, '7'))
    expect(sentences.length).toBeGreaterThan(30)
    const missing = sentences.filter((sentence) => inPortuguese(sentence) === undefined && !FOR_PROGRAMS.has(sentence))
    expect(missing).toEqual([])
  })

  it('shows no sentence of the server, not even one that it has no text for', () => {
    const told = { code: 'VALIDATION_ERROR', message: 'must be blue', field: 'amount' }
    expect(said(told, en, 'en')).toBe('Amount: must be blue')
    expect(said(told, pt, 'pt')).toBe('Valor: valor não aceito')
    expect(said({ ...told, field: undefined }, pt, 'pt')).toBe('Algo no formulário não foi aceito.')
    expect(said({ code: 'NEVER_HEARD_OF', message: 'Something.' }, pt, 'pt')).toBe('Valor não aceito (NEVER_HEARD_OF)')
    const known = { code: 'validation_error', message: 'email: must be an e-mail address' }
    expect(said(known, pt, 'pt')).toBe('Endereço de e-mail: deve ser um endereço de e-mail')
    const unnamed = { ...told, field: 'colour', message: 'must be 0 to 10, with two decimals at most' }
    expect(said(unnamed, pt, 'pt')).toBe('Deve ser de 0 a 10, com no máximo duas casas decimais')
    expect(failed({ reason: 'UNDERPAID', message: 'Less came.' }, pt, 'pt')).toBe('Chegou pouco dentro do prazo')
    expect(failed({ reason: 'UNDERPAID', message: 'Less came.' }, en, 'en')).toBe('Too little came in time: Less came.')
  })

  it('says of what is not there what the server says, where it knows the sentence', () => {
    const told = { code: 'NOT_FOUND', message: 'Nothing of this payment is held.' }
    expect(said(told, en, 'en')).toBe(told.message)
    expect(said(told, pt, 'pt')).toBe('Nada deste pagamento está retido.')
    expect(said({ ...told, message: 'No such thing.' }, pt, 'pt')).toBe(pt.errors['NOT_FOUND'])
  })

  it('says how much a refund lacks, and how it comes in', () => {
    const told = { code: 'INSUFFICIENT_REFUND_BALANCE', message: '', details: '10 BRL are needed, and 0 are there' }
    expect(said(told, en, 'en')).toMatch(/Needed: R\$10\.00; there: R\$0\.00\. Pay in/)
    expect(said(told, pt, 'pt')).toMatch(/Necessário: R\$\s10,00; disponível: R\$\s0,00\. Deposite/)
    expect(said({ ...told, details: undefined }, en, 'en')).toMatch(/paid out already\. Pay in/)
  })

  it('names the field of what GraphQL itself refuses, and nothing that is for programmers', () => {
    const told = {
      code: 'BAD_USER_INPUT',
      message: 'Variable "$email" got an invalid value at "email": no',
      field: 'email',
    }
    expect(said(told, pt, 'pt')).toBe('Endereço de e-mail: valor não aceito')
    expect(said(told, en, 'en')).toBe('E-mail address: this value is not accepted')
    expect(said({ ...told, field: undefined }, pt, 'pt')).toBe(pt.errors['BAD_USER_INPUT'])
  })
})
