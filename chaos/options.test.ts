import { describe, expect, it } from 'vitest'
import { readOptions } from './options.js'

describe('the command line of chaos', () => {
  it('runs one seed for half a minute with faults of all areas, unless told otherwise', () => {
    expect(readOptions(['--seed', '7'])).toEqual({
      seeds: [7],
      minutes: 0.5,
      only: undefined,
      together: 1,
      nodes: 'balanced',
    })
    expect(
      readOptions(['--seeds', '7-9', '--minutes', '2', '--only', 'pg,clock', '--together', '3', '--nodes', 'each']),
    ).toEqual({
      seeds: [7, 8, 9],
      minutes: 2,
      only: ['pg', 'clock'],
      together: 3,
      nodes: 'each',
    })
  })

  it.each([
    [[]],
    [['--seed', 'x']],
    [['--seeds', '9-7']],
    [['--seed', '1', '--minutes', '0']],
    [['--seed', '1', '--only', 'pq']],
    [['--seed', '1', '--together', '0']],
    [['--seed', '1', '--together', '26']],
    [['--seed', '1', '--nodes', 'none']],
  ])('refuses %j, which would prove nothing', (args) => {
    expect(() => readOptions(args)).toThrow(/--/)
  })
})
