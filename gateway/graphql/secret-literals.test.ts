import { ApolloServer } from '@apollo/server'
import { isInputObjectType, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { loadApiSchema } from '../../test/harness/api-schema.js'
import { SECRET_FIELDS, SECRET_INPUTS, secretLiteralsRule } from './secret-literals.js'

const schema = loadApiSchema()
const NUMBER = '4929000000000006'
const CARD = `{number: "${NUMBER}", holderName: "A", holderDocument: "1", cvv: "7391", expMonth: 12, expYear: 2039}`
const tokenize = (card: string, variables = '') =>
  `mutation ${variables} { tokenizeCard(input: {card: ${card}}) { cardToken { id } } }`

function refusals(source: string): string[] {
  return validate(schema, parse(source), [secretLiteralsRule]).map(({ message }) => message)
}

describe('a secret in the text of a document', () => {
  it.each([
    ['a card', tokenize(CARD), 'TokenizedCardInput.number'],
    ['a field that no card has', tokenize(`{nummer: "${NUMBER}"}`), 'TokenizedCardInput.nummer'],
    ['a number of the wrong type', tokenize('{cvv: 7391}'), 'TokenizedCardInput.cvv'],
    ['an object or a list for a field', tokenize(`{number: ["${NUMBER}"]}`), 'TokenizedCardInput.number'],
    ['the default of a whole card', tokenize('$card', `($card: TokenizedCardInput! = ${CARD})`), 'TokenizedCardInput'],
    ['the default of one field', tokenize('{number: $n}', `($n: String! = "${NUMBER}")`), 'The default of $n'],
    [
      'the default of a field in a fragment',
      `mutation ($n: String! = "${NUMBER}") { ...F } fragment F on Mutation { tokenizeCard(input: {card: {number: $n}}) { cardToken { id } } }`,
      'The default of $n',
    ],
    [
      'a one-time code',
      'mutation { verifyEmailOtp(input: {email: "a@b.co", code: "123456"}) { verifiedEmail { email } } }',
      'code',
    ],
    ['a tax id', 'mutation { createTransaction(input: {payerCpf: "52998224725"}) { payment { id } } }', 'payerCpf'],
    [
      'a document',
      'mutation { createTransaction(input: {payerDocument: "52998224725"}) { payment { id } } }',
      'payerDocument',
    ],
    [
      'the card of a payment',
      `mutation { createTransaction(input: {cardData: {installments: 1, card: ${CARD}}}) { payment { id } } }`,
      'CardInput.number',
    ],
  ])('is refused, and not repeated: %s', (_about, source, place) => {
    const messages = refusals(source)
    expect(messages.join('\n')).toContain(place)
    expect(messages.join('\n')).toContain('send it as a variable')
    expect(messages.join('\n')).not.toMatch(/4929|7391|123456|52998/)
  })

  it.each([
    [
      'a variable for the input',
      'mutation ($input: TokenizeCardInput!) { tokenizeCard(input: $input) { cardToken { id } } }',
    ],
    ['a variable for the card', tokenize('$card', '($card: TokenizedCardInput!)')],
    ['variables for each field', tokenize('{number: $n, cvv: $c, brand: null}', '($n: String!, $c: String! )')],
    [
      'literals of what is no secret',
      'mutation { createTransaction(input: {paymentId: "p", transactionType: CARDFIAT, payerEmail: "a@b.co"}) { payment { id } } }',
    ],
    ['defaults of what is no secret', 'query ($n: Int = 7391) { payments(first: $n) { edges { cursor } } }'],
  ])('is what counts: %s are taken', (_about, source) => {
    expect(refusals(source)).toEqual([])
  })

  it('is named by inputs and fields that the schema has', () => {
    const places = [...SECRET_INPUTS, ...SECRET_FIELDS].map((place) => place.split('.'))
    for (const [name = '', field] of places) {
      const input = schema.getType(name)
      if (!isInputObjectType(input)) throw new Error(`${name} is no input`)
      if (field !== undefined) expect(Object.keys(input.getFields())).toContain(field)
    }
  })

  it('keeps its document out of the store, where all valid documents stay', async () => {
    const stored: unknown[] = []
    const apollo = new ApolloServer({
      schema,
      validationRules: [secretLiteralsRule],
      documentStore: {
        get: () => Promise.resolve(undefined),
        set: (_key, document) => Promise.resolve(void stored.push(document)),
        delete: () => Promise.resolve(),
      },
    })
    await apollo.executeOperation({ query: '{ products { pix } }' })
    expect(stored).toHaveLength(1)
    await apollo.executeOperation({ query: tokenize(CARD) })
    expect(stored).toHaveLength(1)
    await apollo.stop()
  })
})
