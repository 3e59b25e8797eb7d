/** What a program file is made of. */
export interface ProgramParts {
  code: Buffer
  /** Instructions that call the runtime: where they are in the code, and the function's name. */
  systemCalls: readonly { offset: number; name: string }[]
  /** Where the program begins in the code. */
  entryOffset: number
}

const FILE_HEADER_BYTES = 64
const PROGRAM_HEADER_BYTES = 56
const SECTION_HEADER_BYTES = 64
const PROGRAM_HEADERS = 3
/** The code follows the headers, at a multiple of 32. */
const CODE_OFFSET = 0x120
const SYMBOL_BYTES = 24
const RELOCATION_BYTES = 16
const DYNAMIC_ENTRY_BYTES = 16
const EM_BPF = 247
const ET_DYN = 3
const R_BPF_64_32 = 10n

interface Section {
  name: string
  type: number
  flags: number
  offset: number
  size: number
  link: number
  info: number
  align: number
  entrySize: number
}

/**
 * Writes the ELF file that Solana's loader reads (sBPF v0): code, the names of the system calls it makes, and where. File
 * offsets equal addresses, which the loader relies on.
 */
export function writeElf({ code, systemCalls, entryOffset }: ProgramParts): Buffer {
  const names = [...new Set(systemCalls.map(({ name }) => name))]
  const strings = stringTable(names)
  const symbols = symbolTable(names, strings)
  const relocations = relocationTable(systemCalls, names)
  const codeSize = aligned(code.length)
  const symbolsOffset = CODE_OFFSET + codeSize
  const stringsOffset = symbolsOffset + symbols.length
  const relocationsOffset = aligned(stringsOffset + strings.length)
  const dynamicOffset = relocationsOffset + relocations.length
  const dynamic = dynamicTable([
    [17, relocationsOffset], // DT_REL
    [18, relocations.length],
    [19, RELOCATION_BYTES],
    [6, symbolsOffset], // DT_SYMTAB
    [11, SYMBOL_BYTES],
    [5, stringsOffset], // DT_STRTAB
    [10, strings.length],
    [0, 0],
  ])
  const sections: Section[] = [
    { name: '.text', type: 1, flags: 6, offset: CODE_OFFSET, size: codeSize, link: 0, info: 0, align: 8, entrySize: 0 },
    { name: '.dynsym', type: 11, flags: 2, offset: symbolsOffset, size: symbols.length, link: 3, info: 1, align: 8, entrySize: SYMBOL_BYTES },
    { name: '.dynstr', type: 3, flags: 2, offset: stringsOffset, size: strings.length, link: 0, info: 0, align: 1, entrySize: 0 },
    { name: '.rel.dyn', type: 9, flags: 2, offset: relocationsOffset, size: relocations.length, link: 2, info: 0, align: 8, entrySize: RELOCATION_BYTES },
    { name: '.dynamic', type: 6, flags: 3, offset: dynamicOffset, size: dynamic.length, link: 3, info: 0, align: 8, entrySize: DYNAMIC_ENTRY_BYTES },
  ] // prettier-ignore
  const sectionNames = stringTable([...sections.map(({ name }) => name), '.shstrtab'])
  const sectionNamesOffset = dynamicOffset + dynamic.length
  sections.push({ name: '.shstrtab', type: 3, flags: 0, offset: sectionNamesOffset, size: sectionNames.length, link: 0, info: 0, align: 1, entrySize: 0 }) // prettier-ignore
  const headersOffset = aligned(sectionNamesOffset + sectionNames.length)
  const file = Buffer.alloc(headersOffset + SECTION_HEADER_BYTES * (sections.length + 1))
  writeFileHeader(file, { entry: CODE_OFFSET + entryOffset, headersOffset, sections: sections.length + 1 })
  writeProgramHeader(file, 0, { type: 1, flags: 5, offset: CODE_OFFSET, size: codeSize })
  writeProgramHeader(file, 1, { type: 1, flags: 4, offset: symbolsOffset, size: sectionNamesOffset - symbolsOffset })
  writeProgramHeader(file, 2, { type: 2, flags: 4, offset: dynamicOffset, size: dynamic.length })
  for (const [bytes, offset] of [
    [code, CODE_OFFSET],
    [symbols, symbolsOffset],
    [strings, stringsOffset],
    [relocations, relocationsOffset],
    [dynamic, dynamicOffset],
    [sectionNames, sectionNamesOffset],
  ] as const) {
    bytes.copy(file, offset)
  }
  sections.forEach((section, index) => {
    writeSectionHeader(file, headersOffset + SECTION_HEADER_BYTES * (index + 1), section, sectionNames)
  })
  return file
}

function aligned(size: number): number {
  return (size + 7) & ~7
}

function stringTable(names: readonly string[]): Buffer {
  return Buffer.from(`\0${names.map((name) => `${name}\0`).join('')}`)
}

function offsetOfName(strings: Buffer, name: string): number {
  return strings.indexOf(`\0${name}\0`) + 1
}

function symbolTable(names: readonly string[], strings: Buffer): Buffer {
  const table = Buffer.alloc(SYMBOL_BYTES * (names.length + 1))
  names.forEach((name, index) => {
    const at = SYMBOL_BYTES * (index + 1)
    table.writeUInt32LE(offsetOfName(strings, name), at)
    table.writeUInt8(0x10, at + 4) // a global symbol that is not defined here
  })
  return table
}

function relocationTable(calls: ProgramParts['systemCalls'], names: readonly string[]): Buffer {
  const table = Buffer.alloc(RELOCATION_BYTES * calls.length)
  calls.forEach(({ offset, name }, index) => {
    table.writeBigUInt64LE(BigInt(CODE_OFFSET + offset), RELOCATION_BYTES * index)
    table.writeBigUInt64LE((BigInt(names.indexOf(name) + 1) << 32n) | R_BPF_64_32, RELOCATION_BYTES * index + 8)
  })
  return table
}

function dynamicTable(entries: readonly (readonly [tag: number, value: number])[]): Buffer {
  const table = Buffer.alloc(DYNAMIC_ENTRY_BYTES * entries.length)
  entries.forEach(([tag, value], index) => {
    table.writeBigUInt64LE(BigInt(tag), DYNAMIC_ENTRY_BYTES * index)
    table.writeBigUInt64LE(BigInt(value), DYNAMIC_ENTRY_BYTES * index + 8)
  })
  return table
}

function writeFileHeader(file: Buffer, parts: { entry: number; headersOffset: number; sections: number }): void {
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])
  file.writeUInt16LE(ET_DYN, 16)
  file.writeUInt16LE(EM_BPF, 18)
  file.writeUInt32LE(1, 20)
  file.writeBigUInt64LE(BigInt(parts.entry), 24)
  file.writeBigUInt64LE(BigInt(FILE_HEADER_BYTES), 32)
  file.writeBigUInt64LE(BigInt(parts.headersOffset), 40)
  const sizes = [FILE_HEADER_BYTES, PROGRAM_HEADER_BYTES, PROGRAM_HEADERS, SECTION_HEADER_BYTES, parts.sections, parts.sections - 1] // prettier-ignore
  sizes.forEach((size, index) => {
    file.writeUInt16LE(size, 52 + 2 * index)
  })
}

function writeProgramHeader(
  file: Buffer,
  index: number,
  { type, flags, offset, size }: { type: number; flags: number; offset: number; size: number },
): void {
  const at = FILE_HEADER_BYTES + PROGRAM_HEADER_BYTES * index
  file.writeUInt32LE(type, at)
  file.writeUInt32LE(flags, at + 4)
  for (const [field, value] of [offset, offset, offset, size, size, 8].entries()) {
    file.writeBigUInt64LE(BigInt(value), at + 8 + 8 * field)
  }
}

function writeSectionHeader(file: Buffer, at: number, section: Section, names: Buffer): void {
  file.writeUInt32LE(offsetOfName(names, section.name), at)
  file.writeUInt32LE(section.type, at + 4)
  for (const [field, value] of [section.flags, section.offset, section.offset, section.size].entries()) {
    file.writeBigUInt64LE(BigInt(value), at + 8 + 8 * field)
  }
  file.writeUInt32LE(section.link, at + 40)
  file.writeUInt32LE(section.info, at + 44)
  file.writeBigUInt64LE(BigInt(section.align), at + 48)
  file.writeBigUInt64LE(BigInt(section.entrySize), at + 56)
}
