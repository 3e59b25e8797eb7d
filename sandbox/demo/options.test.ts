import { describe, expect, it } from 'vitest'
import { UsageError } from '../../kernel/command-line.js'
import { readDemos, USAGE, warningOf } from './options.js'

const titles = (...args: string[]): string[] => readDemos(args).map(({ title }) => title)

describe('the arguments of the demo', () => {
  it('show only what is named', () => {
    expect(titles('--only', 'solana')).toEqual(['A Solana wallet pays two receivers, 70/30'])
    expect(titles('--only', 'solana,card')).toHaveLength(5)
    expect(titles().length).toBeGreaterThan(titles('--only', 'solana,card').length)
    for (const name of ['crypto', 'solana', 'pix', 'card', 'kyc', 'subscription', 'yield'])
      expect(USAGE).toContain(name)
  })

  it('say before anything is done what cannot be taken back, and can leave it out', () => {
    expect(warningOf(readDemos([]))).toContain('3 weeks ahead, which cannot be taken back')
    expect(warningOf(readDemos(['--only', 'yield']))).toContain('1 week ahead')
    expect(warningOf(readDemos(['--keep-clock']))).toBeUndefined()
    expect(titles('--only', 'yield', '--keep-clock')).toEqual(['A wallet moves PYUSD, which takes two transactions'])
  })

  it.each([
    [['--only', 'cash'], 'there is no "cash"'],
    [['--only', 'toString'], 'there is no "toString"'],
    [['--only', 'subscription', '--keep-clock'], 'nothing of that is left'],
    [['--all'], "Unknown option '--all'"],
    [['pix'], 'Unexpected argument'],
  ])('refuse %j', (args, message) => {
    expect(() => readDemos(args)).toThrow(UsageError)
    expect(() => readDemos(args)).toThrow(message)
  })
})
