import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../kernel/root.js'
import { findLastingPort } from './free-port.js'

describe('a port that is chosen before anybody listens on it', () => {
  it('is handed out once, though it is still free', async () => {
    const first = await findLastingPort()
    let asked = 0
    const second = await findLastingPort(() => first + asked++)

    expect(asked).toBeGreaterThan(1)
    expect(second).not.toBe(first)
  })

  it('is handed out to no other process either', async () => {
    const first = await findLastingPort()
    const module = join(projectRoot, 'dist/sandbox/processes/free-port.js')
    const source = `import { findLastingPort } from '${module}'
      let asked = 0
      console.log(await findLastingPort(() => ${first} + asked++))`
    const other = execFileSync(process.execPath, ['--input-type=module', '--eval', source], { encoding: 'utf8' })

    expect(Number(other)).toBeGreaterThan(first)
  })
})
