import { mkdir, open, realpath, stat } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { dirname, resolve as absolute } from 'node:path'

/** Proof that this process alone uses a data folder. */
export interface DataDirLock {
  /** The folder, absolute and without symbolic links. */
  readonly dataDir: string
  release(): Promise<void>
}

/**
 * Makes the folder if it is missing and reserves it for this process.
 *
 * The lock is a listening socket in Linux' abstract namespace, named by the folder's device and inode: to bind is
 * atomic, and the kernel frees the name at any death of the owner, so there is no stale lock to recognise and two
 * simultaneous starts cannot both win. It is seen by every process of the same network namespace, not by a container
 * that shares only the folder. The owner answers a connection with its pid.
 * @throws Error `another process (pid N) already uses the data folder <dir>`, or what keeps DATA_DIR from being a folder
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await makeFolder(absolute(dataDir)).catch((cause: unknown) => {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
    throw new Error(
      `DATA_DIR: ${dataDir} is no folder and cannot be made one (${reason}); name one that can be written`,
      {
        cause,
      },
    )
  })
  const folder = await realpath(dataDir)
  // Held open, because an overlay file system may renumber a folder that nobody holds.
  const handle = await open(folder, 'r')
  try {
    const { dev, ino } = await handle.stat()
    const name = `\0payments-api-data-dir-${dev}-${ino}`
    const server = await listenOn(name)
    if (!server) throw new Error(`another process (pid ${await ownerOf(name)}) already uses the data folder ${folder}`)
    return {
      dataDir: folder,
      release: async () => {
        await new Promise<void>((resolve) => server.close(() => resolve()))
        await handle.close()
      },
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * Makes a folder, and those above it that are missing. Not by `recursive`: where the system says ENOENT below a folder that is
 * there, as in /proc, Node tries again for ever.
 * @param folder absolute
 */
async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder).catch(async (error: unknown) => {
    // Another start may have made it meanwhile.
    if (!(await isFolder(folder))) throw error
  })
}

/** @throws Error, ENOTDIR for one, where it cannot be looked at */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return found?.isDirectory() ?? false
}

/** A server on the name, or undefined if the name is taken. */
function listenOn(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.end(String(process.pid))
    })
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen({ path: name }, () => {
      server.unref()
      resolve(server)
    })
  })
}

/** The pid that the owner of the name tells, `unknown` if it is too busy to answer within a second. */
function ownerOf(name: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = createConnection({ path: name })
    const finish = () => {
      socket.destroy()
      resolve(/^\d+$/.test(answer) ? answer : 'unknown')
    }
    socket.setTimeout(1_000, finish)
    socket.on('error', finish)
    socket.on('data', (chunk) => (answer += chunk.toString('ascii')))
    socket.on('end', finish)
  })
}
