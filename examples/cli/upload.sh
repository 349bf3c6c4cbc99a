# Uploads a file; after an interruption, run it again to resume.
echo 'the tide comes in' > tide.txt
tidenet up tide.txt
