import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../kernel/log.js'

/** How a child ended. `expected`: `stop()` had been called before. `error`: it could not be started at all. */
export interface ChildExit {
  code: number | null
  signal: NodeJS.Signals | null
  expected: boolean
  error?: Error
}

/** A running child process. */
export interface Child {
  /** The real process, not a wrapper; undefined if it could not be started. */
  readonly pid: number | undefined
  /** Settles once, when the process and all that guarded it are gone. */
  readonly exited: Promise<ChildExit>
  /** Sends the stop signal, after `timeoutMs` (10 s unless told) SIGKILL, and waits for the end. */
  stop(options?: { timeoutMs?: number }): Promise<ChildExit>
}

/** What to run. `env` and `cwd` are the parent's unless given; `uid` and `gid` need root. */
export interface ChildOptions {
  name: string
  command: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  cwd?: string
  uid?: number
  gid?: number
  /** What ends the process in an orderly way. */
  stopSignal: 'SIGINT' | 'SIGTERM' | 'SIGQUIT'
  /** How long the process may take to end after its parent died, before SIGKILL; in milliseconds. */
  orphanGraceMs?: number
  log: Logger
  /** Gets each line of output; without it they go to the log at level debug. */
  onLine?: (line: string) => void
  onExit?: (exit: ChildExit) => void
}

/**
 * The shell becomes the real process (`exec`), so its pid and exit status are the child's own. Before, it leaves a
 * guard in the same process group: a reader of descriptor 3, a socket whose other end only the parent holds. The
 * kernel closes that end however the parent dies; the guard then stops the process. It is forked twice because a
 * server that finds a child that it never started may take the end of that child for a crash (PostgreSQL does).
 */
const GUARDED = `
real=$$
( (
  exec </dev/null >/dev/null 2>&1
  read -r _ <&3
  kill -s "$1" "$real"
  ticks=$2
  while [ "$ticks" -gt 0 ] && kill -0 "$real"; do sleep 0.1; ticks=$((ticks - 1)); done
  kill -s KILL -- "-$real"
) & )
shift 2
exec "$@" 3<&-
`

/**
 * Starts a long-running process that cannot outlive this one: whichever of this process, the child or its guard is
 * killed with -9, none is left. The child has a session of its own, so a terminal's Ctrl-C does not reach it before
 * `stop()` does. Does not throw: a command that cannot be run ends with an exit code or `error` in `exited`.
 */
export function startChild(options: ChildOptions): Child {
  const graceTicks = Math.ceil((options.orphanGraceMs ?? 5_000) / 100)
  const signalName = options.stopSignal.slice('SIG'.length)
  const child = spawn(
    '/bin/sh',
    ['-c', GUARDED, options.name, signalName, String(graceTicks), options.command, ...options.args],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
      ...(options.env && { env: { ...options.env } }),
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      ...(options.uid !== undefined && { uid: options.uid }),
      ...(options.gid !== undefined && { gid: options.gid }),
    },
  )
  let stopping = false
  const exited = whenEnded(child).then((end): ChildExit => ({ ...end, expected: stopping }))

  const endWithin = async (timeoutMs: number): Promise<ChildExit> => {
    child.kill(options.stopSignal)
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    try {
      return await exited
    } finally {
      clearTimeout(timer)
    }
  }

  readLines(child, options.onLine ?? ((line) => options.log.debug({ child: options.name }, line)))
  whenGuardEnds(child, () => {
    options.log.warn({ child: options.name }, 'the guard of a child process was killed; stopping the child')
    void endWithin(5_000)
  })
  if (options.onExit) void exited.then(options.onExit)

  return {
    pid: child.pid,
    exited,
    stop: ({ timeoutMs = 10_000 } = {}) => {
      stopping = true
      return endWithin(timeoutMs)
    },
  }
}

async function whenEnded(child: ChildProcess): Promise<Omit<ChildExit, 'expected'>> {
  const closed = once(child, 'close').catch(() => undefined)
  const end = await new Promise<Omit<ChildExit, 'expected'>>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  killGroup(child.pid)
  // Its last lines are still on their way. A process of its own that left the group may hold the pipe open for long.
  await Promise.race([closed, delay(1_000, undefined, { ref: false })])
  return end
}

/** The guard is still in the group, so the number cannot have been given to another group meanwhile. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in the group.
  }
}

function whenGuardEnds(child: ChildProcess, onEnd: () => void): void {
  const lifeline = child.stdio[3]
  if (!(lifeline instanceof Readable)) return
  lifeline.on('error', () => undefined)
  lifeline.resume()
  lifeline.once('close', () => {
    // Where both ended at once (the whole group was killed), the exit of the child is reported a moment later.
    setImmediate(() => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) onEnd()
    })
  })
}

function readLines(child: ChildProcess, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', onLine)
  }
}
