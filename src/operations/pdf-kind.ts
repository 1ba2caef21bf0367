/** What is known of a PDF's bytes. */
export type Pdf =
  | { readonly kind: 'damaged' | 'encrypted' | 'too costly to read' }
  | { readonly kind: 'readable'; readonly documentCode: string | undefined }
