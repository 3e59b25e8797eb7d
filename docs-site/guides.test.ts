import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../kernel/root.js'
import { findLastingPort } from '../sandbox/processes/free-port.js'
import { ownFolder } from '../test/harness/at-end.js'
import { machineEnv } from '../test/harness/env.js'
import { blocksOf } from '../test/harness/guide-samples.js'
import { startProductProcess } from '../test/harness/product-process.js'
import { GUIDE_NAMES } from './guides.js'

/** What every example begins with. */
const PRELUDE = blocksOf('first-payment').find(({ language }) => language === 'sh')?.code ?? ''
const END = '=== end of an example ==='

/** Runs the examples of a guide in one shell, and gives what each has printed. */
function outputsOf(examples: readonly string[], dataDir: string): Promise<string[]> {
  const script = [PRELUDE, ...examples]
    .map((example) => `${example}\necho; echo '${END}'`)
    .join('\n')
    .replaceAll('./.data/', `${dataDir}/`)
    .replaceAll('.data/', `${dataDir}/`)
  const PATH = [dirname(process.execPath), machineEnv.PATH].join(delimiter)
  // The command line of the deployment finds the sandbox by it.
  const env = { PATH, DATA_DIR: dataDir }
  return new Promise((resolve, reject) => {
    execFile('bash', ['-eu', '-c', script], { cwd: projectRoot, env }, (error, out, errors) => {
      if (error) reject(new Error(`${error.message}\n${out}\n${errors}`))
      else resolve(out.split(`${END}\n`).slice(1))
    })
  })
}

/** What an answer is shown as: a text of three dots stands for any text, an empty list for any list, and what a key has left is any number. */
function shownAs(shown: unknown, name?: string): unknown {
  if (shown === '…') return expect.any(String)
  if (name === 'remaining') return expect.any(Number)
  if (Array.isArray(shown)) return shown.length === 0 ? expect.any(Array) : shown.map((item) => shownAs(item))
  if (typeof shown !== 'object' || shown === null) return shown
  return expect.objectContaining(
    Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, shownAs(value, key)])),
  )
}

const folder = await ownFolder()
await startProductProcess({ DATA_DIR: join(folder, 'data'), PORT: String(await findLastingPort()) })

describe('the examples of the guides', () => {
  it.each(GUIDE_NAMES)(
    'of %s run, and are answered as is shown',
    async (name) => {
      const blocks = blocksOf(name).filter(({ language }) => language === 'sh' || language === 'json')
      const examples = blocks.filter(({ language }) => language === 'sh')
      const outputs = await outputsOf(
        examples.map(({ code }) => code),
        join(folder, 'data'),
      )
      for (const [index, { language, code }] of blocks.entries()) {
        const example = blocks[index - 1]
        if (language !== 'json' || example?.language !== 'sh') continue
        const last = outputs[examples.indexOf(example)]?.trim().split('\n').at(-1) ?? ''
        expect(JSON.parse(last), example.code).toEqual(shownAs(JSON.parse(code)))
      }
    },
    // The command line of operators opens the database each time, which takes long on a busy machine.
    180_000,
  )
})

/** What runs the samples of each language. `sh` and `json` are run above. */
const RUN_BY: Readonly<Record<string, string>> = {
  js: 'samples.test.ts',
  python: 'samples.test.ts',
  php: 'samples.test.ts',
  go: 'samples.test.ts',
  ts: '../client/src/package.test.ts',
  graphql: '../test/checkout/shop.test.ts',
  html: '../test/checkout/shop.test.ts',
}

describe('every sample of the guides', () => {
  it.each(GUIDE_NAMES)('of %s is run by a test; what is not is a drawing', (name) => {
    for (const { language, code } of blocksOf(name)) {
      if (language === 'sh' || language === 'json') continue
      if (language === 'text') expect(code).toContain('▶')
      else expect(readFileSync(join(import.meta.dirname, RUN_BY[language] ?? ''), 'utf8')).toContain(`'${name}'`)
    }
  })
})
