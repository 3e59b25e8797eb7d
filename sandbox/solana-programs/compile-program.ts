import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkProgram } from './link-program.js'
import type { ProgramFile } from './programs.js'

/** The compiler whose output is committed; another version may give other bytes. */
const CLANG = 'clang-14'

/** sBPF v0 has none of the newer BPF instructions, and our linker no data sections, where jump tables would be. */
const FLAGS = ['-target', 'bpf', '-mcpu=v1', '-O2', '-ffreestanding', '-fno-jump-tables', '-Wall', '-Werror', '-c']

/** Whether the compiler is on this machine. */
export function hasCompiler(): boolean {
  try {
    execFileSync(CLANG, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Compiles and links one program.
 * @param folder where the sources are; `<name>.c` is the program
 * @throws Error with the compiler's messages, warnings included
 */
export function compileProgram(folder: string, name: string): ProgramFile {
  const temporary = mkdtempSync(join(tmpdir(), 'solana-program-'))
  try {
    const object = join(temporary, `${name}.o`)
    execFileSync(CLANG, [...FLAGS, join(folder, `${name}.c`), '-o', object], { encoding: 'utf8' })
    const program = linkProgram(readFileSync(object))
    return { sha256: createHash('sha256').update(program).digest('hex'), elf: program.toString('base64') }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** The text of a program's committed file. */
export function printProgram(file: ProgramFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}
