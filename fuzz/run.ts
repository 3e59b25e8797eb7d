import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { environmentWith } from '../bench/env.js'
import { projectRoot } from '../kernel/root.js'
import { EXAMPLE } from '../rest-compat/examples.js'
import { findingText, fuzz } from './fuzz.js'

const USAGE = 'npm run fuzz -- [--requests 10000] [--seed 1]'
const READY_WITHIN_MS = 120_000
const SHOWN = 50
const PROGRESS_EVERY = 10_000

/** The product with its sandbox in a folder of its own, until `stop`. */
async function startSandbox(): Promise<{ url: string; sandbox: Sandbox; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-api-fuzz-'))
  const env = environmentWith({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', RATE_LIMIT_PER_MINUTE: '0' })
  const child = spawn(process.execPath, [join(projectRoot, 'dist', 'main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const ready = /ready at (http:\S+)/.exec(output)?.[1]
      if (ready !== undefined) resolve(ready)
    })
    child.once('exit', () => reject(new Error('the product ended before it was ready')))
    setTimeout(() => reject(new Error('the product did not become ready')), READY_WITHIN_MS).unref()
  }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const sandbox = JSON.parse(await readFile(join(folder, 'sandbox.json'), 'utf8')) as Sandbox
  return { url, sandbox, stop }
}

interface Sandbox {
  api_key: string
  public_client_id: string
  wallets: { evm: { address: string }; solana: { address: string } }
}

/** Sends the requests of a seed and prints what was found. @returns whether nothing was */
async function main(requests: number, seed: number): Promise<boolean> {
  const { url, sandbox, stop } = await startSandbox()
  try {
    const known = new Map([
      [EXAMPLE.publicClientId, [sandbox.public_client_id]],
      [EXAMPLE.webhookUrl, ['http://127.0.0.1:9/']],
      [EXAMPLE.evmWallet, [sandbox.wallets.evm.address]],
      [EXAMPLE.solanaWallet, [sandbox.wallets.solana.address]],
    ])
    const onProgress = (sent: number): void => {
      if (sent % PROGRESS_EVERY === 0) console.log(`${sent} requests`)
    }
    const { findings, statuses, succeeded } = await fuzz({
      url,
      key: sandbox.api_key,
      requests,
      seed,
      known,
      onProgress,
    })
    console.log(
      `seed ${seed}: ${[...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', ')}`,
    )
    console.log(`${succeeded.size} operations succeeded at least once; ${findings.length} findings`)
    for (const finding of findings.slice(0, SHOWN)) console.log(findingText(finding))
    return findings.length === 0
  } finally {
    await stop()
  }
}

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const [requests, seed] = [Number(values.requests), Number(values.seed)]
if (values.help) {
  console.log(`Usage: ${USAGE}`)
} else if (Number.isInteger(requests) && requests > 0 && Number.isInteger(seed) && seed >= 0) {
  process.exitCode = (await main(requests, seed)) ? 0 : 1
} else {
  console.error(USAGE)
  process.exitCode = 2
}
