import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type { Abi, Hex } from 'viem'

/** A compiled contract as it is committed: creation code without constructor arguments, and what it was made of. */
export interface ContractArtifact {
  abi: Abi
  bytecode: Hex
  /** SHA-256, in hex, over every source file that went in, libraries included, by path. */
  sourceHash: string
  /** The compiler's full version. */
  compiler: string
}

interface Compiler {
  version(): string
  compile(input: string, callbacks: { import: (path: string) => { contents: string } }): string
}

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

/** Metadata hashes are left out, so that the same source gives the same bytes on every machine. */
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
}

/**
 * Compiles one contract with the development dependency `solc`; imports come from `node_modules`.
 * @param root the project's folder
 * @param path the source, relative to the root; the contract has the file's name
 * @throws Error with the compiler's messages, warnings included
 */
export function compileContract(root: string, path: string): ContractArtifact {
  const compiler = createRequire(join(root, 'package.json'))('solc') as Compiler
  const sources = new Map<string, string>([[path, readFileSync(join(root, path), 'utf8')]])
  const input = {
    language: 'Solidity',
    sources: { [path]: { content: sources.get(path) } },
    settings: SETTINGS,
  }
  const readImport = (imported: string): { contents: string } => {
    const contents = readFileSync(join(root, 'node_modules', imported), 'utf8')
    sources.set(imported, contents)
    return { contents }
  }
  const output = JSON.parse(compiler.compile(JSON.stringify(input), { import: readImport })) as CompilerOutput
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'))
  const contract = output.contracts?.[path]?.[basename(path, '.sol')]
  if (!contract) throw new Error(`${path} does not define ${basename(path, '.sol')}`)
  return {
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
    sourceHash: hashSources(sources),
    compiler: compiler.version(),
  }
}

function hashSources(sources: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const path of [...sources.keys()].sort()) hash.update(`${path}\0${sources.get(path) ?? ''}\0`)
  return hash.digest('hex')
}

/** Where the artifact of a source lies: beside it, with the ending `.json`. */
export function artifactPath(sourcePath: string): string {
  return sourcePath.replace(/\.sol$/, '.json')
}

/** The text of an artifact's file. */
export function printArtifact(artifact: ContractArtifact): string {
  return `${JSON.stringify(artifact, null, 2)}\n`
}
