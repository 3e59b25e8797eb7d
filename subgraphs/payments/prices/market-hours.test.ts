import { describe, expect, it } from 'vitest'
import { readMarketHours } from './market-hours.js'

/** The week of the currency markets, closed on the first of January, and shorter on Christmas Eve. */
const CURRENCIES = 'America/New_York;O,O,O,O,0000-1700,C,1700-2400;0101/C,1224/0000-1300&1800-2000'
const isOpen = (at: string) => readMarketHours(CURRENCIES)?.(new Date(at))

describe('the hours of a market', () => {
  it.each([
    ['2026-11-20T21:59:59Z', true, 'Friday before five in New York'],
    ['2026-11-20T22:00:00Z', false, 'Friday at five'],
    ['2026-11-21T12:00:00Z', false, 'Saturday'],
    ['2026-11-22T21:59:00Z', false, 'Sunday before five'],
    ['2026-11-22T22:00:00Z', true, 'Sunday at five'],
    ['2026-07-17T20:59:00Z', true, 'Friday before five in summer, when clocks are ahead'],
    ['2026-07-17T21:00:00Z', false, 'Friday at five in summer'],
    ['2027-01-01T15:00:00Z', false, 'the first of January'],
    ['2027-01-01T04:59:00Z', true, 'New Year’s Eve, which it still is in New York'],
    ['2026-12-24T17:59:00Z', true, 'Christmas Eve in the morning'],
    ['2026-12-24T18:00:00Z', false, 'Christmas Eve in the afternoon'],
    ['2026-12-25T00:30:00Z', true, 'Christmas Eve in the evening'],
  ])('at %s: %s (%s)', (at, expected) => {
    expect(isOpen(at)).toBe(expected)
  })

  it.each([
    '',
    'America/New_York;O,O,O,O,O,C',
    'America/Nowhere;O,O,O,O,O,C,C;',
    'UTC;O,O,O,O,O,C,X;',
    'UTC;O,O,O,O,O,C,9-17;',
    'UTC;O,O,O,O,O,C,C;0101',
    'UTC;O,O,O,O,O,C,C;01/C',
  ])('are not guessed from %j', (schedule) => {
    expect(readMarketHours(schedule)).toBeUndefined()
  })

  it('may have no holidays', () => {
    expect(readMarketHours('UTC;C,C,C,C,C,C,O;')?.(new Date('2026-11-22T00:00:00Z'))).toBe(true)
  })
})
