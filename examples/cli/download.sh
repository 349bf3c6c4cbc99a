# Downloads a file; every block is checked against the CID before it is kept.
tidenet get tide.txt -o back.txt
cmp tide.txt back.txt
