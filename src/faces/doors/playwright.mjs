import door from './playwright.js'

export const { test, expect } = door
