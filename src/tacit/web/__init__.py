"""The local page on which a person browses the bank and answers its questions."""
