import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../kernel/root.js'
import { atEnd } from './at-end.js'
import { machineEnv } from './env.js'

/** The product as a process of its own, from `dist/`, which the global setup has built. */
export interface ProductProcess {
  url: string
  pid: number
  /** What it wrote until now. */
  output: () => string
  exited: Promise<Exit>
  /** SIGKILL, and waits for the end. */
  kill: () => Promise<Exit>
  /** SIGTERM, and waits for the end. */
  stop: () => Promise<Exit>
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** The product did not become ready. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError'
  constructor(readonly exit: Exit) {
    super(`the product ended before it was ready: ${JSON.stringify(exit)}`)
  }
}

/**
 * Starts the product and waits until it says that it is ready; what still runs in the end is stopped.
 * @param environment all that it is told; nothing of ours leaks in
 * @param options.root the folder that it runs in and from, where it is not the repository
 * @param options.nodeOptions what stands before the program
 * @param options.standardError the file that takes its log in place of `output`
 * @throws NotReadyError where it ends before
 */
export async function startProductProcess(
  environment: Record<string, string>,
  {
    root = projectRoot,
    nodeOptions = [],
    standardError,
  }: { root?: string; nodeOptions?: readonly string[]; standardError?: string } = {},
): Promise<ProductProcess> {
  const log = standardError === undefined ? undefined : openSync(standardError, 'w')
  const child = spawn(process.execPath, [...nodeOptions, join(root, 'dist', 'main.js')], {
    cwd: root,
    env: { ...machineEnv, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', log ?? 'pipe'],
  })
  if (log !== undefined) closeSync(log)
  let stdout = ''
  let stderr = ''
  const ready = Promise.withResolvers<string>()
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    const url = /ready at (http:\S+)/.exec(stdout)?.[1]
    if (url !== undefined) ready.resolve(url)
  })
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const exited = new Promise<Exit>((resolve) => {
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout, stderr })
    })
  })
  void exited.then((exit) => {
    ready.reject(new NotReadyError(exit))
  })
  const end = (signal: NodeJS.Signals) => (): Promise<Exit> => {
    child.kill(signal)
    return exited
  }
  atEnd(end('SIGTERM'))
  const url = await ready.promise
  return {
    url,
    pid: child.pid ?? 0,
    output: () => stdout + stderr,
    exited,
    kill: end('SIGKILL'),
    stop: end('SIGTERM'),
  }
}
