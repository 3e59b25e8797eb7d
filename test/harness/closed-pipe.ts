import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { machineEnv } from './env.js'

/**
 * Runs a program of ours whose reader is gone before it writes, as behind `| head`.
 * @param args what stands behind `node`
 * @returns the exit code, null where a signal ended it, and what it wrote to standard error
 */
export async function runIntoClosedPipe(args: readonly string[]): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, args, { env: machineEnv, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const closed = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const [err, code] = await Promise.all([text(child.stderr), closed])
  return { code, err }
}
