import { execFileSync } from 'node:child_process'

/** Whether a program is on the path. @param version what makes it print its version and end */
export function isInstalled(program: string, version = '--version'): boolean {
  try {
    execFileSync(program, [version], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** What a test's name says where its program is missing. */
export function ifInstalled(program: string, version?: string): string {
  return isInstalled(program, version) ? '' : ` (skipped: there is no ${program} here)`
}
