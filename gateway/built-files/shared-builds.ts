import { LRUCache } from 'lru-cache'
import { recentlyUsed } from '../../kernel/recently-used.js'
import { batcher } from '../../kernel/batcher.js'
import { findFiles, keepFiles } from '../../kernel/built-files.js'
import type { Clock } from '../../kernel/clock.js'
import type { Queryable } from '../../kernel/database.js'
import type { Logger } from '../../kernel/log.js'
import { encodedFrom, type EncodedFile } from './encoded-file.js'

/**
 * The scripts and style sheets of all builds on one database. A page that was opened before a release asks for parts that the new build
 * does not have, and behind one balancer a page of one version asks a process of another: each finds there what the others have.
 */
export interface Builds {
  /** Tells of a file of this build, before `keep`. @param brotli what is in it, compressed */
  add: (path: string, brotli: Buffer) => void
  /**
   * A file that another build has; undefined where none has it that ran lately.
   * @throws what the database throws
   */
  find: (path: string) => Promise<EncodedFile | undefined>
  /**
   * Writes this build's files down, once a day, so that they stay. It is called before the process is ready, and from then on by itself.
   * Never rejects: where the database refuses, it is tried again a minute later.
   */
  keep: () => Promise<void>
  close: () => Promise<void>
}

export interface BuildsDeps {
  pool: Queryable
  clock: Clock
  log: Pick<Logger, 'warn'>
}

/** A release of all pages takes eight megabytes, six of them the renderer of the reference, which seldom changes. */
const FOUND_MAX_BYTES = 32 * 1024 * 1024
/** Paths that no build has, and for how long they are not looked for again. */
const ABSENT_MAX = 10_000
const ABSENT_MS = 10_000
/** How often it is looked whether a day has begun, or the last writing failed. */
const LOOK_MS = 60_000

/** What builds call their files. Nothing else is looked for. */
const BUILT = /\/assets\/[\w-]{1,100}-[\w-]{8}\.(?:js|css)$/

/** @returns what shares this build's files with the others, and theirs with it */
export function sharedBuilds({ pool, clock, log }: BuildsDeps): Builds {
  const own = new Map<string, Buffer>()
  let keptOn: string | undefined
  let underWay: Promise<void> | undefined
  const write = async (): Promise<void> => {
    const today = clock.now().toISOString().slice(0, 10)
    if (today === keptOn) return
    try {
      await keepFiles(pool, own, clock)
      keptOn = today
    } catch (error) {
      log.warn(
        { err: error },
        'the files of the pages could not be written down: processes of other versions lack them',
      )
    }
  }
  const keep = (): Promise<void> => (underWay ??= write().finally(() => (underWay = undefined)))
  const timer = setInterval(() => void keep(), LOOK_MS)
  timer.unref()
  return {
    add: (path, brotli) => {
      own.set(path, brotli)
    },
    find: filesOfOthers({ pool, clock }),
    keep,
    close: async () => {
      clearInterval(timer)
      await underWay
    },
  }
}

/**
 * Looks files of other builds up. Strangers may ask for any name: one statement runs at a time, for many names, and a name that is known,
 * or was not there just now, needs none.
 */
function filesOfOthers({ pool, clock }: Pick<BuildsDeps, 'pool' | 'clock'>): Builds['find'] {
  const found = new LRUCache<string, EncodedFile>({
    maxSize: FOUND_MAX_BYTES,
    sizeCalculation: ({ br, gzip, plain }) => br.length + gzip.length + plain.length + 1,
  })
  /** Each with when it was not there. */
  const absent = recentlyUsed<string, number>(ABSENT_MAX)
  const underWay = new Map<string, Promise<EncodedFile | undefined>>()
  const read = batcher((paths: readonly string[]) => findFiles(pool, paths), undefined, 1)

  async function load(path: string): Promise<EncodedFile | undefined> {
    const askedAtMs = clock.steadyMs()
    const brotli = await read(path)
    if (brotli === undefined) {
      absent.set(path, askedAtMs)
      return undefined
    }
    const file = await encodedFrom(brotli)
    found.set(path, file)
    return file
  }

  return async (path) => {
    if (!BUILT.test(path)) return undefined
    const known = found.get(path)
    if (known) return known
    if (clock.steadyMs() - (absent.get(path) ?? -Infinity) < ABSENT_MS) return undefined
    const asked = underWay.get(path) ?? load(path).finally(() => underWay.delete(path))
    underWay.set(path, asked)
    return asked
  }
}
