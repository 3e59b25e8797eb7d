import { describe, expect, it } from 'vitest'
import { accentColors, accentStyle } from './accent.js'

describe('a tenant’s colour', () => {
  it('stays as it is where it can be read', () => {
    expect(accentColors('#0b57d0').light).toBe('#0b57d0')
    expect(accentColors('#ffe600').dark).toBe('#ffe600')
  })

  it.each(['#ffffff', '#000000', '#ffe600', '#777777'])('is made readable in both themes: %s', (color) => {
    const { light, dark } = accentColors(color)
    // The sum of the channels is a rough measure; axe has the last word in the browser.
    const sum = (hex: string): number => [1, 3, 5].reduce((all, at) => all + parseInt(hex.slice(at, at + 2), 16), 0)
    expect(sum(light)).toBeLessThan(400)
    expect(sum(dark)).toBeGreaterThan(330)
  })

  it('needs nothing of a browser that the page’s own style does not need: no light-dark()', () => {
    const { light, dark } = accentColors('#777777')
    expect(accentStyle('#777777')).toBe(
      `:root{--accent:${light}}@media (prefers-color-scheme:dark){:root{--accent:${dark}}}`,
    )
  })
})
