import { describe, expect, it } from 'vitest'
import { inTurn } from './in-turn.js'

/** Work that ends when it is told to. */
function pending(): { work: () => Promise<string>; hasBegun: () => boolean; end: (how: string | Error) => void } {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let hasBegun = false
  return {
    work: () => {
      hasBegun = true
      return promise
    },
    hasBegun: () => hasBegun,
    end: (how) => (how instanceof Error ? reject(how) : resolve(how)),
  }
}

describe('work in turn', () => {
  it('begins when the one before it is over, also where that has failed', async () => {
    const run = inTurn(2)
    const [first, second] = [pending(), pending()]
    const results = Promise.allSettled([run('a', first.work), run('a', second.work)])
    await Promise.resolve()
    expect([first.hasBegun(), second.hasBegun()]).toEqual([true, false])
    first.end(new Error('it failed'))
    second.end('done')
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(second.hasBegun()).toBe(true)
  })

  it('is not taken where as many wait as may, and is again once one of them is over', async () => {
    const run = inTurn(1)
    const [first, second, third] = [pending(), pending(), pending()]
    const results = Promise.all([run('a', first.work), run('a', second.work)])
    expect(await run('a', third.work)).toBeUndefined()
    expect(third.hasBegun()).toBe(false)
    first.end('first')
    second.end('second')
    expect(await results).toEqual(['first', 'second'])
    third.end('third')
    expect(await run('a', third.work)).toBe('third')
  })

  it('does not wait for that of another key', async () => {
    const run = inTurn(0)
    const first = pending()
    const result = run('a', first.work)
    expect(await run('b', () => Promise.resolve('at once'))).toBe('at once')
    first.end('first')
    expect(await result).toBe('first')
  })
})
