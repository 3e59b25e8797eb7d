import type { Stats } from 'node:fs'
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../kernel/log.js'

/**
 * The live PostgreSQL processes that work in a data folder: the server changes into it at its start and so do its
 * backends. `postmaster.pid` alone cannot tell: after a kill -9 it may name a process that is dead, a zombie, or
 * another program that got the number meanwhile.
 * @returns pids, ascending: the server before its backends
 */
export async function findServerProcesses(clusterDir: string): Promise<number[]> {
  const folder = await stat(clusterDir)
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)
  const found = await Promise.all(pids.map((pid) => worksIn(pid, clusterDir, folder)))
  return pids.filter((_, index) => found[index]).sort((a, b) => a - b)
}

async function worksIn(pid: number, clusterDir: string, folder: Stats): Promise<boolean> {
  try {
    // A zombie has neither.
    const cwd = await stat(`/proc/${pid}/cwd`)
    if (cwd.dev !== folder.dev || cwd.ino !== folder.ino) return false
    return basename(await readlink(`/proc/${pid}/exe`)).startsWith('postgres')
  } catch (error) {
    // A process with more rights than we have hides both, but not the command line with which we start a server.
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) return false
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const words = commandLine.split('\0')
    return basename(words[0] ?? '') === 'postgres' && words.includes(clusterDir)
  }
}

/**
 * Makes a data folder free for a new server: stops what a previous run left working in it (its guard may be doing the
 * same) and removes a `postmaster.pid` that names no server of this folder. The caller holds the lock of the folder.
 * @throws Error if a process cannot be ended
 */
export async function clearStrayServer(clusterDir: string, log: Logger): Promise<void> {
  let stray = await findServerProcesses(clusterDir)
  if (stray.length > 0) log.warn({ pids: stray }, 'stopping a PostgreSQL server that a previous run left behind')
  // Fast shutdown, immediate shutdown, kill: PostgreSQL's own order of severity.
  for (const [signal, waitMs] of [
    ['SIGINT', 5_000],
    ['SIGQUIT', 2_000],
    ['SIGKILL', 2_000],
  ] as const) {
    for (const pid of stray) signalProcess(pid, signal)
    const giveUpAt = performance.now() + waitMs
    while (stray.length > 0 && performance.now() < giveUpAt) {
      await delay(10)
      stray = await findServerProcesses(clusterDir)
    }
  }
  if (stray.length > 0) throw new Error(`a PostgreSQL server in ${clusterDir} does not end: pid ${stray.join(', ')}`)
  await rm(join(clusterDir, 'postmaster.pid'), { force: true })
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended meanwhile.
  }
}
