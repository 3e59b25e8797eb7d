import { describe, expect, it } from 'vitest'
import { accentStyle } from './accent.js'

describe('a tenant’s colour', () => {
  it('stays as it is where it can be read', () => {
    expect(accentStyle('#0b57d0')).toContain('light-dark(#0b57d0,')
    expect(accentStyle('#ffe600')).toContain(',#ffe600)')
  })

  it.each(['#ffffff', '#000000', '#ffe600', '#777777'])('is made readable in both themes: %s', (color) => {
    const [, light = '', dark = ''] = /light-dark\((#[\da-f]{6}),(#[\da-f]{6})\)/.exec(accentStyle(color)) ?? []
    // The sum of the channels is a rough measure; axe has the last word in the browser.
    const sum = (hex: string): number => [1, 3, 5].reduce((all, at) => all + parseInt(hex.slice(at, at + 2), 16), 0)
    expect(sum(light)).toBeLessThan(400)
    expect(sum(dark)).toBeGreaterThan(330)
  })
})
