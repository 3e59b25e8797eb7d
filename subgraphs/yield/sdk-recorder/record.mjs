/* global fetch */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { argv } from 'node:process'
import { recordJupiter } from './jupiter.mjs'
import { recordKamino } from './kamino.mjs'

/** Whose instructions they are: the public key of the seed of 32 sevens, as an owner has to be on the curve. */
const WALLET = 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB'
/** In base units: an odd one, the smallest, and one near the largest of the format, to which Kamino's SDK can still add the rent. */
const AMOUNTS = ['1234567890', '1', '18446744073700000001']

const [, , sdks = '', sandboxFile = ''] = argv
const load = createRequire(join(resolve(sdks), 'package.json'))
const sandbox = JSON.parse(await readFile(sandboxFile, 'utf8'))
const answer = await fetch(`${sandbox.rest_url}/yield/strategies`, { headers: { 'x-api-key': sandbox.api_key } })
const { strategies } = (await answer.json()).data
const input = { rpcUrl: sandbox.chains.solana.rpc_url, wallet: WALLET, amounts: AMOUNTS, strategies }

/** Writes one provider's fixture: what was recorded, and where it comes from. */
async function write(folder, sdk, recorded) {
  const { version } = JSON.parse(await readFile(join(resolve(sdks), 'node_modules', sdk, 'package.json'), 'utf8'))
  const provenance = {
    sdk,
    version,
    how: 'subgraphs/yield/sdk-recorder/record.mjs, which shows the SDK these accounts of the sandbox and writes down its answers',
  }
  const path = join(import.meta.dirname, '..', 'providers', folder, 'fixtures')
  await mkdir(path, { recursive: true })
  const lines = Object.entries({ provenance, wallet: WALLET, ...recorded }).map(
    ([name, value]) => `${JSON.stringify(name)}: ${Array.isArray(value) ? listed(value) : JSON.stringify(value)}`,
  )
  await writeFile(join(path, 'sdk-instructions.json'), `{\n${lines.join(',\n')}\n}\n`)
}

/** A list with an entry a line, so that a change of one can be seen. */
function listed(entries) {
  return `[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`
}

await write('alpha-lend', '@jup-ag/lend', await recordJupiter(load, input))
await write('beta', '@kamino-finance/klend-sdk', await recordKamino(load, input))
