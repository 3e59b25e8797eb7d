import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { projectRoot } from '../../kernel/root.js'
import { atEnd } from '../../test/harness/at-end.js'
import { signIn } from '../../test/harness/console.js'
import { startHarness, type Harness } from '../../test/harness/harness.js'
import { send } from '../../test/harness/http.js'
import { documentsFor, parseTrustedDocuments, warnOfUnfit } from './trusted-documents.js'

const BY_ID = 'query ById($id: ID!) { payment(id: $id) { id status } }'
const PRODUCTS = '{ products { pix } }'
const CANCEL = 'mutation ($id: ID!) { cancelPayment(id: $id) { payment { id } errors { code } } }'

const consoleDocuments = parseTrustedDocuments(
  JSON.parse(await readFile(join(projectRoot, 'schema', 'console-documents.json'), 'utf8')),
)
const folder = await mkdtemp(join(tmpdir(), 'payments-api-manifest-'))
atEnd(() => rm(folder, { recursive: true, force: true }))
const manifestFile = join(folder, 'manifest.json')
const operations = [BY_ID, CANCEL].map((body) => ({ id: hashOf(body), body, name: '', type: 'query' }))
await writeFile(manifestFile, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }))
const open = await startHarness()
const bound = await startHarness({ TRUSTED_DOCUMENTS_FILE: manifestFile })

interface Body {
  data?: unknown
  errors?: { message: string; extensions: { code: string } }[]
}

async function ask(
  harness: Harness,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Body }> {
  const { status, body: answer } = await send({
    method: 'POST',
    url: `${harness.url}/graphql`,
    headers: { 'content-type': 'application/json', 'x-api-key': harness.tenant.key, ...headers },
    body: JSON.stringify(body),
  })
  return { status, body: answer as unknown as Body }
}

async function get(harness: Harness, parameters: Record<string, string>): Promise<{ status: number; body: Body }> {
  const url = `${harness.url}/graphql?${new URLSearchParams(parameters).toString()}`
  const { status, body } = await send({ method: 'GET', url, headers: { 'x-api-key': harness.tenant.key } })
  return { status, body: body as unknown as Body }
}

const codesOf = ({ body }: { body: Body }): string[] | undefined =>
  body.errors?.map(({ extensions }) => extensions.code)

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const persisted = (text: string): object => ({ persistedQuery: { version: 1, sha256Hash: hashOf(text) } })

describe('an automatic persisted query', () => {
  it('is asked for by its hash once its text was sent with it, by POST and by GET', async () => {
    const text = `${BY_ID} # ${Math.random()}`
    const variables = { id: await open.tenant.register() }
    const unknown = await ask(open, { extensions: persisted(text), variables })
    expect([unknown.status, codesOf(unknown)]).toEqual([200, ['PERSISTED_QUERY_NOT_FOUND']])
    expect(unknown.body.errors?.[0]?.message).toBe('PersistedQueryNotFound')

    const expected = { payment: { id: variables.id, status: 'REGISTERED' } }
    const sent = await ask(open, { query: text, extensions: persisted(text), variables })
    expect(sent.body.data).toEqual(expected)
    for (const operationName of ['ById', undefined])
      expect((await ask(open, { extensions: persisted(text), variables, operationName })).body.data).toEqual(expected)
    const parameters = { extensions: JSON.stringify(persisted(text)), variables: JSON.stringify(variables) }
    expect((await get(open, parameters)).body.data).toEqual(expected)
    expect((await ask(open, { documentId: `sha256:${hashOf(text)}`, variables })).body.data).toEqual(expected)
  })

  it('is refused where the hash is not that of its text, and not kept', async () => {
    const text = `{ products { crypto } } # ${Math.random()}`
    const refused = await ask(open, { query: `${text} `, extensions: persisted(text) })
    expect([refused.status, codesOf(refused)]).toEqual([400, ['BAD_REQUEST']])
    expect(codesOf(await ask(open, { extensions: persisted(text) }))).toEqual(['PERSISTED_QUERY_NOT_FOUND'])
  })

  it('that is not valid, or holds a secret, is not kept', async () => {
    for (const text of ['{ nothing }', 'mutation { tokenizeCard(input: {cvv: "7391"}) { cardToken { id } } }']) {
      expect((await ask(open, { query: text, extensions: persisted(text) })).body.data).toBeUndefined()
      expect(codesOf(await ask(open, { extensions: persisted(text) }))).toEqual(['PERSISTED_QUERY_NOT_FOUND'])
    }
  })

  it('that writes does so once under its idempotency key, by its hash as by its text', async () => {
    const id = await open.tenant.register()
    const key = { 'idempotency-key': 'persisted-1' }
    const first = await ask(open, { query: CANCEL, extensions: persisted(CANCEL), variables: { id } }, key)
    expect(first.body.data).toEqual({ cancelPayment: { payment: { id }, errors: [] } })
    expect((await ask(open, { extensions: persisted(CANCEL), variables: { id } }, key)).body.data).toEqual(
      first.body.data,
    )
  })
})

describe('where only trusted documents are run', () => {
  it('one is run by its id, and by its text', async () => {
    const variables = { id: await bound.tenant.register() }
    const expected = { payment: { id: variables.id, status: 'REGISTERED' } }
    for (const body of [{ documentId: hashOf(BY_ID) }, { extensions: persisted(BY_ID) }, { query: BY_ID }])
      expect((await ask(bound, { ...body, variables })).body.data).toEqual(expected)
    const parameters = { documentId: hashOf(BY_ID), variables: JSON.stringify(variables) }
    expect((await get(bound, parameters)).body.data).toEqual(expected)
    const cancelled = await ask(bound, { documentId: hashOf(CANCEL), variables })
    expect(cancelled.body.data).toMatchObject({ cancelPayment: { errors: [] } })
  })

  it.each<[string, object]>([
    ['a text that is none of them', { query: PRODUCTS }],
    ['one of them with another blank', { query: `${BY_ID} ` }],
    ['a hash that is none of them', { extensions: persisted(PRODUCTS) }],
    ['a text with its own hash', { query: PRODUCTS, extensions: persisted(PRODUCTS) }],
    ['no document', {}],
    ['a text that is no text', { query: [PRODUCTS] }],
    ['the schema', { query: '{ __schema { queryType { name } } }' }],
  ])('%s is refused', async (_what, body) => {
    const refused = await ask(bound, body)
    expect([refused.status, codesOf(refused), refused.body.data]).toEqual([400, ['DOCUMENT_NOT_TRUSTED'], undefined])
  })

  it('a browser is told so in place of GraphiQL, which could run nothing', async () => {
    const look = ({ url }: Harness, path: string) =>
      send({ method: 'GET', url: `${url}${path}`, headers: { accept: 'text/html' } })
    const told = await look(bound, '/graphql')
    expect([told.status, told.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(told.text).toContain('This deployment runs trusted documents only')
    expect((await look(bound, '/graphql/graphiql.js')).status).toBe(404)
    expect((await look(open, '/graphql')).text).toContain('/graphql/graphiql.js')
  })

  it('a session of the console runs what its pages are made of, and nothing that keys may', async () => {
    const browser = await signIn(bound, 'operator@example.com')
    const [document] = [...consoleDocuments].filter(([, text]) => text.startsWith('query Sessions'))
    expect((await browser.graphql(document?.[1] ?? '')).body).toMatchObject({
      data: { sessions: [{ isCurrent: true }] },
    })
    for (const text of [BY_ID, '{ __typename }']) {
      const refused = await browser.graphql(text)
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { errors: [{ extensions: { code: 'DOCUMENT_NOT_TRUSTED' } }] },
      ])
    }
    expect(codesOf(await ask(bound, { documentId: document?.[0] }))).toEqual(['DOCUMENT_NOT_TRUSTED'])
  })

  it.each([
    [undefined, true, [false, false]],
    [undefined, false, [false, true]],
    [consoleDocuments, true, [true, true]],
    [consoleDocuments, false, [true, true]],
  ])('keys are bound by a manifest, sessions by it and in live: %#', (trusted, isSandbox, expected) => {
    const { ofKeys, ofPeople } = documentsFor(trusted, isSandbox)
    expect([ofKeys.isBound, ofPeople.isBound]).toEqual(expected)
    expect(ofPeople.trusted).toEqual(consoleDocuments)
  })

  it('another is refused in the address too, also beside one of them', async () => {
    expect(codesOf(await get(bound, { query: PRODUCTS }))).toEqual(['DOCUMENT_NOT_TRUSTED'])
    const both = await send({
      method: 'GET',
      url: `${bound.url}/graphql?query=${encodeURIComponent(BY_ID)}&query=${encodeURIComponent(PRODUCTS)}`,
      headers: { 'x-api-key': bound.tenant.key },
    })
    expect(codesOf({ body: both.body as unknown as Body })).toEqual(['DOCUMENT_NOT_TRUSTED'])
  })
})

describe('a manifest', () => {
  it("is Apollo's, or Relay's map", () => {
    const map = { [hashOf(BY_ID)]: BY_ID, 'an id of their own': PRODUCTS }
    expect([...parseTrustedDocuments(map)]).toEqual(Object.entries(map))
  })

  it.each<[string, unknown, string]>([
    ['nothing', {}, 'names no operation'],
    ['a list', [], 'no manifest'],
    ['another format', { format: 'other', version: 1, operations: [] }, 'no apollo-persisted-query-manifest'],
    ['no text', { [hashOf(BY_ID)]: null }, 'no id or text'],
    ['a text with another hash', { [hashOf(BY_ID)]: PRODUCTS }, 'has another hash'],
  ])('%s is refused', (_what, content, reason) => {
    expect(() => parseTrustedDocuments(content)).toThrow(reason)
  })

  it('of another release is told of at the start, by the ids of what does not fit', () => {
    const lines: string[] = []
    const log = createLog('warn', { write: (line) => void lines.push(line) })
    const schema = buildSchema('type Query { products: Products } type Products { pix: Boolean }')
    warnOfUnfit(new Map([['fits', PRODUCTS]]), schema, log)
    expect(lines).toEqual([])
    warnOfUnfit(parseTrustedDocuments({ fits: PRODUCTS, old: BY_ID, broken: '{ products' }), schema, log)
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ count: 2, documents: ['old', 'broken'] }])
  })
})
