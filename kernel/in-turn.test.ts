import { setImmediate as untilOthersRan } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inTurn } from './in-turn.js'

const nothing = () => Promise.resolve()

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
    const results = Promise.allSettled([run('a', nothing, first.work), run('a', nothing, second.work)])
    await untilOthersRan()
    expect([first.hasBegun(), second.hasBegun()]).toEqual([true, false])
    first.end(new Error('it failed'))
    second.end('done')
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(second.hasBegun()).toBe(true)
  })

  it('is neither prepared nor taken where as many wait as may, and is again once one of them is over', async () => {
    const run = inTurn(1)
    const [first, second, third] = [pending(), pending(), pending()]
    const prepared = pending()
    const results = Promise.all([run('a', nothing, first.work), run('a', nothing, second.work)])
    expect(await run('a', prepared.work, third.work)).toBeUndefined()
    expect([prepared.hasBegun(), third.hasBegun()]).toEqual([false, false])
    first.end('first')
    second.end('second')
    expect(await results).toEqual(['first', 'second'])
    third.end('third')
    expect(await run('a', nothing, third.work)).toBe('third')
  })

  it('is prepared beside the work of others, and is behind those that were ready before', async () => {
    const run = inTurn(2)
    const [preparing, first, second] = [pending(), pending(), pending()]
    const slow = run('a', preparing.work, (prepared) => Promise.resolve(`slow ${prepared}`))
    const results = [run('a', nothing, first.work), run('a', nothing, second.work)]
    await untilOthersRan()
    expect([preparing.hasBegun(), first.hasBegun(), second.hasBegun()]).toEqual([true, true, false])
    first.end('first')
    second.end('second')
    expect(await Promise.all(results)).toEqual(['first', 'second'])
    preparing.end('as prepared')
    expect(await slow).toBe('slow as prepared')
  })

  it('holds no place where preparing it fails', async () => {
    const run = inTurn(0)
    await expect(run('a', () => Promise.reject(new Error('not prepared')), nothing)).rejects.toThrow('not prepared')
    expect(await run('a', nothing, () => Promise.resolve('next'))).toBe('next')
  })

  it('does not wait for that of another key', async () => {
    const run = inTurn(0)
    const first = pending()
    const result = run('a', nothing, first.work)
    expect(await run('b', nothing, () => Promise.resolve('at once'))).toBe('at once')
    first.end('first')
    expect(await result).toBe('first')
  })
})
