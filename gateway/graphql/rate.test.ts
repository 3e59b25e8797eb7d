import { describe, expect, it } from 'vitest'
import { startHarness } from '../../test/harness/harness.js'

describe('GraphQL and REST', () => {
  it('share the rate of a key, and its refusal is in GraphQL form too', async () => {
    await using world = await startHarness({ RATE_LIMIT_PER_MINUTE: '3' })
    const ask = () => world.graphql('{ products { pix } }', {}, { as: world.tenant })
    expect((await ask()).headers['ratelimit']).toBe('"default";r=2;t=60')
    await world.rest('GET', '/config/products', { as: world.tenant })
    expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect(refused.status).toBe(429)
    const message = 'Rate limit exceeded: 3 requests per minute (0.1 per second).'
    expect(refused.body).toEqual({
      code: 429,
      message,
      docs: expect.stringMatching(/\/docs$/) as string,
      errors: [{ message, extensions: { code: 'RATE_LIMITED' } }],
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.headers['x-request-id']).toBeTruthy()
    expect(refused.headers['ratelimit']).toMatch(/^"default";r=0;/)
  })
})
