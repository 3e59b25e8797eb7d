import { readdirSync, readFileSync } from 'node:fs'

/** A process of this machine. */
export interface MachineProcess {
  pid: number
  command: string
}

/** All that a process has started, and what that has started, as /proc shows them. */
export function descendantsOf(ancestor: number): MachineProcess[] {
  const all = pids().map((pid) => ({ pid, ...readStat(pid) }))
  const found: MachineProcess[] = []
  for (const parents = [ancestor]; parents.length > 0;) {
    const parent = parents.pop()
    for (const { pid, command } of all.filter(({ parentPid }) => parentPid === parent)) {
      found.push({ pid, command })
      parents.push(pid)
    }
  }
  return found
}

/** The processes of a process group that still run, ascending. */
export function membersOfGroup(groupId: number): number[] {
  return pids()
    .filter((pid) => readStat(pid).groupId === groupId && isAlive(pid))
    .sort((a, b) => a - b)
}

/** Whether a process lives. A zombie that nobody has waited for does nothing any more. */
export function isAlive(pid: number): boolean {
  return !['', 'Z', 'X'].includes(readStat(pid).state)
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** What /proc says of a process; nothing of one that is gone. @see proc(5): the command is in parentheses and may hold anything */
export function readStat(pid: number): {
  command: string
  state: string
  parentPid: number
  groupId: number
  sessionId: number
} {
  let stat = ''
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // It has ended.
  }
  const [, command = '', state = '', ...ids] = /\((.*)\) (\w) (\d+) (\d+) (\d+)/s.exec(stat) ?? []
  const [parentPid = NaN, groupId = NaN, sessionId = NaN] = ids.map(Number)
  return { command, state, parentPid, groupId, sessionId }
}
