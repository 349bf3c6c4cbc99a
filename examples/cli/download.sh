# Downloads a file; every block is verified against the CID before it is written.
tidenet get tide.txt -o back.txt
cmp tide.txt back.txt
