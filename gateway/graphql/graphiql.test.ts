import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import fastify, { type FastifyInstance } from 'fastify'
import { asksForPage, mountGraphiql } from './graphiql.js'
import { SAVED_OPERATIONS } from './saved-operations.js'

let app: FastifyInstance
let page: string
let script: string

beforeAll(async () => {
  app = fastify({ forceCloseConnections: true })
  const sendPage = mountGraphiql(app)
  app.get('/graphql', (request, reply) => (asksForPage(request) ? sendPage(request, reply) : reply.send('an answer')))
  page = (await app.inject({ url: '/graphql', headers: { accept: 'text/html,*/*;q=0.8' } })).body
  script = (await app.inject({ url: '/graphql/graphiql.js' })).body
})
afterAll(() => app.close())

describe('GraphiQL', () => {
  it('is given to a browser only', async () => {
    expect(page).toMatch(/^<!doctype html>/)
    for (const accept of ['application/json', '*/*', 'application/graphql-response+json, application/json']) {
      expect((await app.inject({ url: '/graphql', headers: { accept } })).body).toBe('an answer')
    }
  })

  it('loads nothing from another host', () => {
    const references = [
      ...page.matchAll(/\b(?:src|href|action)\s*=\s*["']?([^"'\s>]+)/g),
      ...page.matchAll(/url\(["']?([^"')]+)/g),
    ]
    const addresses = references.map(([, address = '']) => address).filter((address) => !/^(data:|#)/.test(address))
    expect(addresses).toEqual(['/graphql/graphiql.js'])
    expect(page).not.toMatch(/@import/)
    // What the program itself could load as it runs.
    expect(script).not.toMatch(/unpkg\.com|jsdelivr\.net|cdnjs|esm\.sh|fonts\.g(oogleapis|static)\.com/)
    expect(script).not.toMatch(/importScripts\(\s*["'`]https?:|import\(\s*["'`]https?:|fetch\(\s*["'`]https?:/)
  })

  it('could not reach another host even if it wanted to', async () => {
    const { headers } = await app.inject({ url: '/graphql', headers: { accept: 'text/html' } })
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1)]),
    )
    expect(policy.get('default-src')).toEqual(["'none'"])
    expect(policy.get('script-src')).toEqual(["'self'"])
    expect(policy.get('connect-src')).toEqual(["'self'"])
    const allowed = new Set([...policy.values()].flat())
    expect([...allowed].sort()).toEqual(["'none'", "'self'", "'unsafe-inline'", 'blob:', 'data:'])
  })

  it('holds no script in the page itself, which the policy would stop', () => {
    expect([...page.matchAll(/<script[^>]*>([^<]*)/g)].map(([, content]) => content)).toEqual([''])
    expect(page).not.toMatch(/\son\w+=/)
  })

  it('asks for the key where headers are edited, and sends to its own address', () => {
    const options = script.slice(script.lastIndexOf('renderYogaGraphiQL('))
    expect(options).toContain('"headers":"{\\"x-api-key\\":\\"\\"}"')
    expect(options).toContain('"endpoint":"/graphql"')
    expect(options).toContain('Put your API key into')
  })

  it('opens with comments that are read whole where the window is 1280 pixels wide', () => {
    const comments = SAVED_OPERATIONS.flatMap(({ query }) => query.match(/^#.*$/gm) ?? [])
    expect(comments.length).toBeGreaterThan(SAVED_OPERATIONS.length)
    for (const comment of comments) expect([comment, comment.length <= 50]).toEqual([comment, true])
  })

  it('does not leave the key on the disk of the browser', () => {
    const options = script.slice(script.lastIndexOf('renderYogaGraphiQL('))
    expect(options).toContain('"shouldPersistHeaders":false')
    // Options are laid over the program's own setting, which is to keep headers.
    expect(script).toMatch(/shouldPersistHeaders:!0,.{0,400}\.\.\.(\w+),fetcher:/)
  })

  it('is a program that a browser can read', () => {
    expect(() => new Function(script)).not.toThrow()
    expect(script.length).toBeGreaterThan(1_000_000)
  })

  it('is sent compressed, and only once to a browser that keeps it', async () => {
    const zipped = await app.inject({ url: '/graphql/graphiql.js', headers: { 'accept-encoding': 'gzip, br' } })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(script)
    const etag = String(zipped.headers.etag)
    const again = await app.inject({ url: '/graphql/graphiql.js', headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})
