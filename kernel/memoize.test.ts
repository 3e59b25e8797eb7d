import { expect, it } from 'vitest'
import { memoize } from './memoize.js'

it('what was made for a text is made once, until newer ones have taken its place', () => {
  const asked: string[] = []
  const lengthOf = memoize(2, (text) => {
    asked.push(text)
    return text === 'none' ? undefined : text.length
  })
  expect(['one', 'none', 'one', 'none'].map(lengthOf)).toEqual([3, undefined, 3, undefined])
  expect(asked).toEqual(['one', 'none'])
  expect(['three', 'none', 'one'].map(lengthOf)).toEqual([5, undefined, 3])
  expect(asked).toEqual(['one', 'none', 'three', 'one'])
})

it('a text for which nothing can be made is tried again', () => {
  let tries = 0
  const failing = memoize(2, () => {
    tries += 1
    throw new Error('not today')
  })
  expect(() => failing('text')).toThrow('not today')
  expect(() => failing('text')).toThrow('not today')
  expect(tries).toBe(2)
})
