import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLog } from '../kernel/log.js'
import { projectRoot } from '../kernel/root.js'
import { startChild } from '../sandbox/processes/child.js'
import { findLastingPort } from '../sandbox/processes/free-port.js'
import { learnAnswers } from './answers.js'
import type { Case } from './cases.js'
import { environmentWith } from './env.js'
import { median } from './report.js'
import { runLoad } from './run-load.js'
import { isReady, startProduct } from './start-target.js'
import type { TargetSettings } from './targets/settings.js'

const LOAD_MS = 4_000

/** The most memory, in MB, that the product holds while it plays all roles, its worker too, and every case is asked. */
export async function measureMemory(
  settings: TargetSettings,
  dataDir: string,
  cases: readonly Case[],
): Promise<number> {
  const product = await startProduct({ settings, dataDir, roles: 'all' })
  let highestMb = 0
  const sampler = setInterval(() => {
    void product.residentMb().then((mb) => (highestMb = Math.max(highestMb, mb)))
  }, 100)
  try {
    for (const measured of cases) {
      await runLoad({
        port: product.port,
        exchanges: await learnAnswers(product.port, 'product', measured, new Map()),
        durationMs: LOAD_MS,
        ...(measured.writes && { unique: { header: 'idempotency-key', prefix: 'bench-memory-' } }),
      })
    }
  } finally {
    clearInterval(sampler)
    await product.stop()
  }
  return highestMb
}

/** Later starts that are timed. */
const STARTS = 3
const START_TIMEOUT_MS = 60_000

/** Milliseconds from `npm start` to ready, on a data folder that a first start has made; the median of a few. */
export async function measureWarmStart(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-api-start-'))
  try {
    await timeStart(dataDir)
    const timesMs: number[] = []
    for (let start = 0; start < STARTS; start += 1) timesMs.push(await timeStart(dataDir))
    return median(timesMs)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function timeStart(dataDir: string): Promise<number> {
  const port = await findLastingPort()
  const startedMs = performance.now()
  const child = startChild({
    name: 'npm start',
    command: 'npm',
    args: ['start', '--silent'],
    cwd: projectRoot,
    env: environmentWith({ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' }),
    stopSignal: 'SIGTERM',
    log: createLog('warn'),
  })
  try {
    while (!(await isReady(port))) {
      if (performance.now() - startedMs > START_TIMEOUT_MS) throw new Error('npm start was not ready within a minute')
      await delay(10)
    }
    return performance.now() - startedMs
  } finally {
    await child.stop()
  }
}
