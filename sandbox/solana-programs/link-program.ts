import { writeElf } from './write-elf.js'

interface Section {
  name: string
  type: number
  flags: bigint
  offset: number
  size: number
  link: number
}

interface ElfSymbol {
  name: string
  type: number
  sectionIndex: number
  value: number
}

const SECTION_HEADER_BYTES = 64
const SYMBOL_BYTES = 24
const RELOCATION_BYTES = 16
const INSTRUCTION_BYTES = 8
/** Where an instruction keeps its immediate. */
const IMMEDIATE_OFFSET = 4
const SHT_SYMTAB = 2
const SHF_ALLOC = 2n
const STT_SECTION = 3
/** R_BPF_64_32: the target of a call. */
const CALL_RELOCATION = 10n

/**
 * Turns an object file of `clang -target bpf` into a program that Solana's loader takes (sBPF v0). Calls inside the code
 * become relative ones, calls of what is not defined become system calls by name.
 * @throws Error where the object has data sections or other relocations: they are not supported
 */
export function linkProgram(object: Buffer): Buffer {
  const sections = readSections(object)
  const textIndex = sections.findIndex(({ name }) => name === '.text')
  const text = sections[textIndex]
  const symbolTable = sections.find(({ type }) => type === SHT_SYMTAB)
  if (!text || !symbolTable) throw new Error('the object has no code or no symbols')
  refuseData(sections, text)
  const symbols = readSymbols(object, sections, symbolTable)
  const code = Buffer.from(object.subarray(text.offset, text.offset + text.size))
  const systemCalls: { offset: number; name: string }[] = []
  const relocations = sections.find(({ name }) => name === '.rel.text')
  for (const { offset, kind, symbol } of relocations ? readRelocations(object, relocations, symbols) : []) {
    if (kind !== CALL_RELOCATION) throw new Error(`relocation ${kind} of ${symbol.name} is not supported`)
    if (symbol.sectionIndex === textIndex) {
      code.writeInt32LE(relativeCall(code, offset, symbol), offset + IMMEDIATE_OFFSET)
    } else {
      // The loader finds system calls by their relocation and wants -1 in the instruction.
      code.writeInt32LE(-1, offset + IMMEDIATE_OFFSET)
      systemCalls.push({ offset, name: symbol.name })
    }
  }
  const entry = symbols.find(({ name }) => name === 'entrypoint')
  if (!entry) throw new Error('the object defines no entrypoint')
  return writeElf({ code, systemCalls, entryOffset: entry.value })
}

/** The distance of a call in instructions, counted from behind it. */
function relativeCall(code: Buffer, offset: number, symbol: ElfSymbol): number {
  // Against the section's symbol the instruction holds the target's own number, less one.
  const target =
    symbol.type === STT_SECTION ? INSTRUCTION_BYTES * (code.readInt32LE(offset + IMMEDIATE_OFFSET) + 1) : symbol.value
  return (target - offset - INSTRUCTION_BYTES) / INSTRUCTION_BYTES
}

function refuseData(sections: readonly Section[], text: Section): void {
  const data = sections.filter(
    (section) =>
      (section.flags & SHF_ALLOC) !== 0n && section !== text && section.size > 0 && section.name !== '.eh_frame',
  )
  if (data.length > 0) throw new Error(`data sections are not supported: ${data.map(({ name }) => name).join(', ')}`)
}

function readSections(object: Buffer): Section[] {
  const start = Number(object.readBigUInt64LE(40))
  const count = object.readUInt16LE(60)
  const namesIndex = object.readUInt16LE(62)
  const headers = Array.from({ length: count }, (_, index) => start + SECTION_HEADER_BYTES * index)
  const offsetOf = (header: number): number => Number(object.readBigUInt64LE(header + 24))
  const names = offsetOf(headers[namesIndex] ?? 0)
  return headers.map((header) => ({
    name: textAt(object, names + object.readUInt32LE(header)),
    type: object.readUInt32LE(header + 4),
    flags: object.readBigUInt64LE(header + 8),
    offset: offsetOf(header),
    size: Number(object.readBigUInt64LE(header + 32)),
    link: object.readUInt32LE(header + 40),
  }))
}

function readSymbols(object: Buffer, sections: readonly Section[], table: Section): ElfSymbol[] {
  const names = sections[table.link]?.offset ?? 0
  return Array.from({ length: table.size / SYMBOL_BYTES }, (_, index) => {
    const at = table.offset + SYMBOL_BYTES * index
    return {
      name: textAt(object, names + object.readUInt32LE(at)),
      type: object.readUInt8(at + 4) & 15,
      sectionIndex: object.readUInt16LE(at + 6),
      value: Number(object.readBigUInt64LE(at + 8)),
    }
  })
}

function readRelocations(object: Buffer, table: Section, symbols: readonly ElfSymbol[]) {
  return Array.from({ length: table.size / RELOCATION_BYTES }, (_, index) => {
    const at = table.offset + RELOCATION_BYTES * index
    const info = object.readBigUInt64LE(at + 8)
    const symbol = symbols[Number(info >> 32n)]
    if (!symbol) throw new Error('a relocation names no symbol')
    return { offset: Number(object.readBigUInt64LE(at)), kind: info & 0xffffffffn, symbol }
  })
}

function textAt(bytes: Buffer, start: number): string {
  return bytes.toString('latin1', start, bytes.indexOf(0, start))
}
