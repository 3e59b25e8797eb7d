import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

/** What a run came to, in test cases; a file or a suite that breaks outside its cases counts as one failed case. */
interface Tally {
  passed: number
  failed: number
  skipped: number
}

/**
 * Ends the output of a run with one line for machines: `12 passed, 0 failed`, with `, 3 skipped` when any were. It is
 * written as the process exits, after the other reporters and the global teardown, so that nothing can follow it.
 */
export class PlainLineReporter implements Reporter {
  private tally: Tally = { passed: 0, failed: 0, skipped: 0 }
  private fileCount = 0

  onInit(): void {
    process.once('exit', (exitCode) => {
      // A broken global setup or teardown belongs to no case, and must still not read as "0 failed".
      if (exitCode !== 0 && this.fileCount > 0) this.tally.failed ||= 1
      process.stdout.write(`\n${plainLine(this.tally)}\n`)
    })
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.fileCount = specifications.length
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    this.tally = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) addModule(this.tally, module)
  }
}

function addModule(tally: Tally, module: TestModule): void {
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    if (state === 'passed') tally.passed += 1
    else if (state === 'skipped') tally.skipped += 1
    else tally.failed += 1
  }
  for (const part of [module, ...module.children.allSuites()]) {
    if (part.errors().length > 0) tally.failed += 1
  }
}

function plainLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
