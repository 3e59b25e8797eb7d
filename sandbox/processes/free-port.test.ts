import { describe, expect, it } from 'vitest'
import { findLastingPort } from './free-port.js'

describe('a port that is chosen before anybody listens on it', () => {
  it('is handed out once, though it is still free', async () => {
    const first = await findLastingPort()
    let asked = 0
    const second = await findLastingPort(() => first + asked++)

    expect(asked).toBeGreaterThan(1)
    expect(second).not.toBe(first)
  })
})
