import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

/** How a program that refuses root is run: what goes before its command, or the ids it is spawned with. */
export interface RunAs {
  readonly strategy: RunAsStrategy
  readonly prefix: readonly string[]
  readonly uid?: number
  readonly gid?: number
  /** Who has to own the files that the program calls its own, as seen from here. */
  readonly owner: Account
}

export type RunAsStrategy = 'direct' | 'user-namespace' | 'capability' | 'plain'

interface Account {
  readonly uid: number
  readonly gid: number
}

/** A neutral environment: nothing of ours, and none of PostgreSQL's own variables, reaches the server. */
export const SERVER_ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' } as const

/**
 * Picks the first way in which `postgres`, which refuses root, can be run and can reach the data folder. As root:
 * in a user namespace, where root's own files keep their owner; with the one capability to pass folders that are
 * closed to others (a checkout in a 0700 home); as another user. Otherwise directly, if the user has a name: initdb
 * refuses a user id that is not in the list of accounts, which a namespace can map to one that is.
 * @param only restricts the strategies, for tests
 * @throws Error if none works
 */
export async function chooseRunAs(postgres: string, dataDir: string, only?: readonly RunAsStrategy[]): Promise<RunAs> {
  const candidates = await candidatesFor({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }, dataDir)
  for (const candidate of candidates) {
    if (only && !only.includes(candidate.strategy)) continue
    if (await works(candidate, postgres, dataDir)) return candidate
  }
  throw new Error(
    `the embedded PostgreSQL cannot be run by uid ${process.getuid?.()} with the data folder ${dataDir}: ` +
      'start as an ordinary user who can reach the checkout and the data folder, or set DATABASE_URL',
  )
}

async function candidatesFor(self: Account, dataDir: string): Promise<RunAs[]> {
  const accounts = await readAccounts()
  const mapped = accounts.find(({ uid }) => uid >= 1_000 && uid < 65_534) ?? accounts[0] ?? { uid: 1_000, gid: 1_000 }
  const userNamespace: RunAs = {
    strategy: 'user-namespace',
    prefix: ['unshare', '--user', `--map-user=${mapped.uid}`, `--map-group=${mapped.gid}`],
    owner: self,
  }
  if (self.uid !== 0) {
    const direct: RunAs = { strategy: 'direct', prefix: [], owner: self }
    return accounts.some(({ uid }) => uid === self.uid) ? [direct] : [userNamespace, direct]
  }
  const folder = await stat(dataDir)
  const other = accounts.find(({ uid }) => uid === folder.uid) ?? mapped
  const ids = [`--reuid=${other.uid}`, `--regid=${other.gid}`, '--clear-groups']
  // PostgreSQL looks at its own files with access(2), which ignores the capabilities of ordinary users without this bit.
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup']
  return [
    userNamespace,
    { strategy: 'capability', prefix: ['setpriv', ...ids, ...capability], owner: other },
    { strategy: 'plain', prefix: [], uid: other.uid, gid: other.gid, owner: other },
  ]
}

/** The accounts of the machine other than root. */
async function readAccounts(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  return lines
    .map((line) => line.split(':'))
    .map((fields) => ({ uid: Number(fields[2] || Number.NaN), gid: Number(fields[3] || Number.NaN) }))
    .filter(({ uid, gid }) => Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0)
}

async function works(runAs: RunAs, postgres: string, dataDir: string): Promise<boolean> {
  // It prints a setting after it has found its own files and the folder, and before it looks for a database in it.
  const script = ['sh', '-c', 'cd "$1" && exec "$2" -D "$1" -c config_file=/dev/null -C port', 'sh', dataDir, postgres]
  const [command = 'sh', ...args] = [...runAs.prefix, ...script]
  try {
    await promisify(execFile)(command, args, {
      cwd: '/',
      env: SERVER_ENV,
      timeout: 10_000,
      ...(runAs.uid !== undefined && { uid: runAs.uid }),
      ...(runAs.gid !== undefined && { gid: runAs.gid }),
    })
    return true
  } catch {
    return false
  }
}
