/** The languages of the console, by their own names. */
export const LANGUAGES = { en: 'English', pt: 'Português' } as const
export type Language = keyof typeof LANGUAGES
