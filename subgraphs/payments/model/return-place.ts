/** Where money that went back stands among all of it. */
export interface ReturnPlace {
  rail: string
  receiptId: string
  returnId: string
}

/** The place as one text. */
export function textOfPlace({ rail, receiptId, returnId }: ReturnPlace): string {
  return JSON.stringify([rail, receiptId, returnId])
}

/** The id of what stands at a place, for a provider's movement has none of ours: as cursors of lists name the place. */
export function idOfPlace(place: ReturnPlace): string {
  return Buffer.from(textOfPlace(place)).toString('base64url')
}

/** The place of a text; undefined where it is none. */
export function placeOfText(text: string): ReturnPlace | undefined {
  try {
    const read: unknown = JSON.parse(text)
    if (!Array.isArray(read) || read.length !== 3) return undefined
    const [rail, receiptId, returnId] = read as unknown[]
    const isPlace = [rail, receiptId, returnId].every((part) => typeof part === 'string' && !part.includes('\0'))
    return isPlace ? ({ rail, receiptId, returnId } as ReturnPlace) : undefined
  } catch {
    return undefined
  }
}
