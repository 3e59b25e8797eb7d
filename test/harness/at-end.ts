import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Ends something with the test that runs, or with the test file where none does. What was started last ends first. */
export function atEnd(end: () => unknown): void {
  const ended = async (): Promise<void> => void (await end())
  if (TestRunner.getCurrentTest()) onTestFinished(ended)
  else afterAll(ended)
}

/** As `atEnd`, of a thing that can be closed or stopped. @returns the thing */
export function ending<Thing extends { close: () => unknown } | { stop: () => unknown }>(thing: Thing): Thing {
  atEnd(() => ('close' in thing ? thing.close() : thing.stop()))
  return thing
}

/** A temporary folder of its own, until the end. */
export async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-api-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}
