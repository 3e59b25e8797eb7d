import { buildSchema, GraphQLError, Kind, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { attachScalars, DateTime, Decimal, EmailAddress, Url } from './scalars.js'

describe('a DateTime', () => {
  it.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.123456Z', '2026-01-31T09:30:00.123Z'],
    ['2026-01-31T09:30:00-03:00', '2026-01-31T12:30:00.000Z'],
    ['2026-01-31t09:30:00z', '2026-01-31T09:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('%s is the moment %s', (text, moment) => {
    expect(DateTime.parseValue(text)).toBe(moment)
  })

  it.each([
    '1',
    'Nov 1 2026',
    '2026',
    '2026-01-31',
    '2026-01-31T09:30Z',
    '2026-01-31T09:30:00',
    '2026-01-31 09:30:00Z',
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '2026-13-01T00:00:00Z',
    '2026-01-31T25:00:00Z',
    '',
    1767225600000,
    null,
  ])('is not %s', (value) => {
    expect(() => DateTime.parseValue(value)).toThrow(/^must be a date and time of ISO 8601/)
  })
})

describe('a Decimal', () => {
  it('of a number is the decimal that the number stands for, without an exponent', () => {
    const shown = [100, 66.67, 1e-7, '0.10'].map((value) => Decimal.serialize(value))
    expect(shown).toEqual(['100', '66.67', '0.0000001', '0.10'])
    expect(() => Decimal.serialize(NaN)).toThrow()
  })
})

describe('a text that is right but for its length', () => {
  it.each([
    [Decimal, '1'.repeat(31), 'must have at most 30 digits before the point'],
    [Decimal, '0.1234567890123456789', 'must have at most 18 decimals'],
    [Url, `https://shop.example/${'a'.repeat(2048)}`, 'must have at most 2048 characters'],
    [EmailAddress, `${'a'.repeat(250)}@example.com`, 'must have at most 254 characters'],
  ])('is told the bound: %s', (scalar, text, message) => {
    expect(() => scalar.parseValue(text)).toThrow(message)
  })
})

describe('an EmailAddress', () => {
  it.each([
    'ana@example.com',
    'a.b+c@sub.example.com.br',
    "o'neil/x=y@example.com",
    'joão@exemplo.com.br',
    ' x@münchen.de ',
  ])('is %s', (text) => {
    expect(EmailAddress.parseValue(text)).toBe(text.trim())
  })

  it.each([
    'ana',
    'ana@example',
    'ana@',
    '@example.com',
    'http://user:pass@127.0.0.1/',
    'ana@example.com/',
    'ana@example.com:25',
    'ana,bia@example.com',
    'ana@example.com;bia@example.com',
    'ana@example..com',
    'ana@example.com.',
    'ana(x)@example.com',
    'ana@[127.0.0.1]',
  ])('is not %s', (text) => {
    expect(() => EmailAddress.parseValue(text)).toThrow(/e-mail address/)
  })
})

describe('a value that is no', () => {
  it.each([DateTime, Decimal, EmailAddress, Url])('%s has the code BAD_USER_INPUT', (scalar) => {
    let thrown: unknown
    try {
      scalar.parseLiteral({ kind: Kind.STRING, value: ' ' })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(GraphQLError)
    expect((thrown as GraphQLError).extensions['code']).toBe('BAD_USER_INPUT')
  })

  it.each(['DateTime', 'Decimal', 'EmailAddress', 'URL'])('%s says where it is in the document', (name) => {
    const schema = buildSchema(`scalar ${name}\ntype Query { read(value: ${name}): Int }`)
    attachScalars(schema)
    for (const literal of ['" "', '7']) {
      const errors = validate(schema, parse(`{\n  read(value: ${literal})\n}`))
      expect(errors.map(({ locations }) => locations)).toEqual([[{ line: 2, column: 15 }]])
    }
  })
})
