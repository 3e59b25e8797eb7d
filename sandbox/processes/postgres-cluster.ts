import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, lchown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../kernel/log.js'
import { startChild } from './child.js'
import { findLastingPort } from './free-port.js'
import type { PostgresBinaries } from './postgres-binaries.js'
import { clearStrayServer } from './postgres-stray.js'
import { SERVER_ENV, type RunAs } from './run-as.js'

/** What a client needs to know beside the address 127.0.0.1. */
export interface Connection {
  readonly password: string
  readonly port: number
}

/** A database cluster on disk: `folder` holds `cluster/`, PostgreSQL's own folder, and `connection.json` (0600). */
export interface Cluster {
  readonly clusterDir: string
  readonly connection: Connection
  /** Keeps another port for the next starts. */
  rememberPort(port: number): Promise<void>
}

/** An initdb outlives a killed first start by a moment, and writes into the folder that is removed: ENOTEMPTY, until it ends. */
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }

/**
 * Opens the cluster in `dataDir/postgres`, at the first start after creating it. It appears under that name by one
 * rename when it is complete with its password, so an interrupted first start leaves only rubbish that is removed here.
 * No server works in it afterwards.
 * The caller holds the lock of `dataDir`.
 * @throws Error if initdb fails or the files belong to another user
 */
export async function openCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  runAs: RunAs,
  log: Logger,
): Promise<Cluster> {
  for (const entry of await readdir(dataDir)) {
    if (entry.startsWith('postgres.new-')) await rm(join(dataDir, entry), REMOVAL)
  }
  const folder = join(dataDir, 'postgres')
  if (!existsSync(folder)) {
    const unfinished = await createCluster(dataDir, binaries, runAs, log)
    await rename(unfinished, folder)
  }
  const clusterDir = join(folder, 'cluster')
  await clearStrayServer(clusterDir, log)
  await giveTo(clusterDir, runAs)
  const connection = JSON.parse(await readFile(join(folder, 'connection.json'), 'utf8')) as Connection
  return {
    clusterDir,
    connection,
    rememberPort: (port) => writeConnection(folder, { ...connection, port }),
  }
}

/** Makes a complete cluster in a new folder. @returns that folder, to be renamed */
async function createCluster(dataDir: string, binaries: PostgresBinaries, runAs: RunAs, log: Logger): Promise<string> {
  const folder = await mkdtemp(join(dataDir, 'postgres.new-'))
  const clusterDir = join(folder, 'cluster')
  const passwordFile = join(folder, 'password')
  const password = randomBytes(24).toString('hex')
  const { uid, gid } = runAs.owner
  // Others may pass, not look: the server may run as another user. The files inside have modes of their own.
  await chmod(folder, 0o711)
  await mkdir(clusterDir, { mode: 0o700 })
  await chown(clusterDir, uid, gid)
  await writeFile(passwordFile, password, { mode: 0o600 })
  await chown(passwordFile, uid, gid)
  await runInitdb(clusterDir, passwordFile, binaries, runAs, log)
  await rm(passwordFile)
  await writeConnection(folder, { password, port: await findLastingPort() })
  return folder
}

async function runInitdb(
  clusterDir: string,
  passwordFile: string,
  binaries: PostgresBinaries,
  runAs: RunAs,
  log: Logger,
): Promise<void> {
  const args = [
    ...['-D', clusterDir, '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'],
    // The same order of text and the same classes of characters on every machine, whatever its C library has.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
    ...['-c', 'max_connections=100', '-c', 'shared_buffers=64MB'],
  ]
  const output: string[] = []
  const [command = binaries.initdb, ...rest] = [...runAs.prefix, binaries.initdb, ...args]
  const { code, error } = await startChild({
    name: 'initdb',
    command,
    args: rest,
    env: SERVER_ENV,
    cwd: '/',
    ...(runAs.uid !== undefined && { uid: runAs.uid }),
    ...(runAs.gid !== undefined && { gid: runAs.gid }),
    stopSignal: 'SIGTERM',
    log,
    onLine: (line) => output.push(line),
  }).exited
  if (code !== 0) {
    throw new Error(`initdb failed: ${output.slice(-3).join(' / ') || error?.message}`, { cause: error })
  }
}

/**
 * Gives the files to whom the server runs as, which another way of running it than last time may change. The folder
 * itself comes last, so that an interrupted change is seen and done again.
 */
async function giveTo(clusterDir: string, { owner }: RunAs): Promise<void> {
  const present = await stat(clusterDir)
  if (present.uid === owner.uid) return
  if (process.getuid?.() !== 0) {
    throw new Error(`the data folder ${clusterDir} belongs to uid ${present.uid}: start as that user, or remove it`)
  }
  for (const entry of await readdir(clusterDir, { recursive: true })) {
    await lchown(join(clusterDir, entry), owner.uid, owner.gid)
  }
  await chown(clusterDir, owner.uid, owner.gid)
}

async function writeConnection(folder: string, connection: Connection): Promise<void> {
  const path = join(folder, 'connection.json')
  await writeFile(`${path}.new`, JSON.stringify(connection), { mode: 0o600 })
  await rename(`${path}.new`, path)
}
